import java.io.File;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/*
 * The other end of net=: prints its port, takes one connection, sends the
 * commands that are given as hexadecimal digits, 300 ms apart, and keeps what
 * it gets in a file FILE. After the last command it creates FILE.sent.
 * "after=PATH": waits until the file PATH exists. "vanish": resets the
 * connection; "hold": reads nothing.
 */
public class Peer {
	public static void main(String[] args) throws Exception
	{
		try (ServerSocket server = new ServerSocket(
			     0, 1, InetAddress.getLoopbackAddress())) {
			System.out.println(server.getLocalPort());
			System.out.flush();
			try (Socket s = server.accept()) {
				talk(s, args);
			}
		}
	}

	static void talk(Socket s, String[] args) throws Exception
	{
		Thread reader = new Thread(() -> keep(s, args[0]));
		if (args.length > 1 && args[1].equals("vanish")) {
			Thread.sleep(300);
			s.setSoLinger(true, 0);
			return;
		}
		if (args.length > 1 && args[1].equals("hold")) {
			Thread.sleep(60000);
			return;
		}
		reader.start();
		OutputStream out = s.getOutputStream();
		for (int i = 1; i < args.length; i++) {
			if (args[i].startsWith("after=")) {
				while (!new File(args[i].substring(6)).exists())
					Thread.sleep(20);
				continue;
			}
			Thread.sleep(300);
			for (int k = 0; k < args[i].length(); k += 2)
				out.write(Integer.parseInt(
					args[i].substring(k, k + 2), 16));
			out.flush();
		}
		new File(args[0] + ".sent").createNewFile();
		reader.join();
	}

	static void keep(Socket s, String name)
	{
		try (InputStream in = s.getInputStream();
		     FileOutputStream to = new FileOutputStream(name)) {
			in.transferTo(to);
		} catch (java.io.IOException e) {
			System.err.println(e);
		}
	}
}
