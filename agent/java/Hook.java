package hprofagent;

/*
 * The shutdown hook, which writes the report at exit. run() is in
 * exit_report.c.
 */
final class Hook extends Thread {
	Hook()
	{
		super("hprof-agent");
	}

	@Override
	public native void run();
}
