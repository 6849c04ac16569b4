package hprofagent;

/*
 * Two arrays that tell a reader of a heap dump where objects were allocated: at
 * the same index, an object and the serial number of its trace. The agent fills
 * the arrays just before a dump and empties them afterwards.
 */
final class AllocationTraces {
	static Object[] objects;
	static int[] traces;

	private AllocationTraces()
	{
	}
}
