package hprofagent;

/*
 * Two arrays with which a reader of a heap dump finds out where objects were
 * allocated. Element i of `traces` is the serial number of the stack trace that
 * allocated element i of `objects`. The agent fills the arrays just before a
 * heap dump, and removes them afterwards.
 */
final class AllocationTraces {
	static Object[] objects;
	static int[] traces;

	private AllocationTraces()
	{
	}
}
