/** As little as a VM can be asked to do: 17 markers, and a wait for a line. */
public final class Tiny {
	static final class Marker {
	}

	static final Marker[] MARKERS = new Marker[17];

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < MARKERS.length; i++)
			MARKERS[i] = new Marker();
		System.out.println("EXPECT Tiny$Marker 17");
		System.out.println("EXPECT Tiny$Marker[] 1");
		System.out.println("READY tiny");
		System.out.flush();
		int c = System.in.read();
		while (c != '\n' && c != -1)
			c = System.in.read();
	}
}
