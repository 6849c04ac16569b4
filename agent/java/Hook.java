package hprofagent;

/* What runs when the VM shuts down: the report at exit. */
final class Hook extends Thread {
	Hook()
	{
		super("hprof-agent");
	}

	@Override
	public native void run();
}
