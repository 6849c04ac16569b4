package hprofagent;

/*
 * In a heap dump: objects, and at the same index the serial of the trace at
 * which each was allocated. Filled just before the dump, emptied after it.
 */
final class AllocationTraces {
	static Object[] objects;
	static int[] traces;

	private AllocationTraces()
	{
	}
}
