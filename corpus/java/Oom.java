/**
 * A job that keeps every page it has read until the heap is full, for the
 * dump that -XX:+HeapDumpOnOutOfMemoryError writes.
 *
 * The payload is allocated before the page that holds it, so the count of
 * pages is exact wherever the VM gives up. It is printed afterwards.
 */
public final class Oom {
	static final class Page {
		final byte[] text;
		final Page previous;

		Page(byte[] text, Page previous) {
			this.text = text;
			this.previous = previous;
		}
	}

	static Page last;

	public static void main(String[] args) {
		int pages = 0;
		try {
			for (;;) {
				byte[] text = new byte[6007];
				last = new Page(text, last);
				pages++;
			}
		} catch (OutOfMemoryError e) {
			last = null;
		}
		System.out.println("EXPECT Oom$Page " + pages);
	}
}
