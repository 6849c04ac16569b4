import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An HPROF reader of its own for HotSpot's dumps, made to disagree: it shares
 * no code, no language and no table with the programs under test. It holds
 * the whole dump in memory and prints as JSON how many records, sub-records
 * and references there are. What is cut at the end is not counted.
 *
 * Usage: java Tally FILE
 */
public final class Tally {
	static final String[] RECORDS = new String[256];
	static final String[] SUBRECORDS = new String[256];
	static final int[] SIZES = { 0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8 };

	static {
		RECORDS[0x01] = "STRING";
		RECORDS[0x02] = "LOAD_CLASS";
		RECORDS[0x04] = "STACK_FRAME";
		RECORDS[0x05] = "STACK_TRACE";
		RECORDS[0x0c] = "HEAP_DUMP";
		RECORDS[0x1c] = "HEAP_DUMP_SEGMENT";
		RECORDS[0x2c] = "HEAP_DUMP_END";
		SUBRECORDS[0xff] = "ROOT_UNKNOWN";
		SUBRECORDS[0x01] = "ROOT_JNI_GLOBAL";
		SUBRECORDS[0x02] = "ROOT_JNI_LOCAL";
		SUBRECORDS[0x03] = "ROOT_JAVA_FRAME";
		SUBRECORDS[0x04] = "ROOT_NATIVE_STACK";
		SUBRECORDS[0x05] = "ROOT_STICKY_CLASS";
		SUBRECORDS[0x06] = "ROOT_THREAD_BLOCK";
		SUBRECORDS[0x07] = "ROOT_MONITOR_USED";
		SUBRECORDS[0x08] = "ROOT_THREAD_OBJECT";
		SUBRECORDS[0x20] = "CLASS_DUMP";
		SUBRECORDS[0x21] = "INSTANCE_DUMP";
		SUBRECORDS[0x22] = "OBJECT_ARRAY_DUMP";
		SUBRECORDS[0x23] = "PRIMITIVE_ARRAY_DUMP";
	}

	/** A class as far as its instances' references go. */
	static final class Layout {
		long superId;
		final List<Integer> types = new ArrayList<>();
	}

	/** An instance whose fields wait until all classes are known. */
	record Instance(long classId, int pos, int length) { }

	final ByteBuffer in;
	int idSize;
	final Map<String, Long> records = new TreeMap<>();
	final Map<String, Long> subrecords = new TreeMap<>();
	final Map<Long, Layout> classes = new HashMap<>();
	final List<Instance> instances = new ArrayList<>();
	final Set<Long> defined = new HashSet<>();
	final List<Long> references = new ArrayList<>();
	long nulls;

	Tally(byte[] bytes) {
		in = ByteBuffer.wrap(bytes);
	}

	long id() {
		return idSize == 8 ? in.getLong() : in.getInt() & 0xffffffffL;
	}

	void skip(int n) {
		if (n < 0 || n > in.remaining())
			throw new java.nio.BufferUnderflowException();
		in.position(in.position() + n);
	}

	int size(int type) {
		return type == 2 ? idSize : SIZES[type];
	}

	void reference(long id) {
		if (id == 0)
			nulls++;
		else
			references.add(id);
	}

	void all() {
		while (in.get() != 0)
			continue;
		idSize = in.getInt();
		in.getLong();
		while (in.remaining() >= 9)
			record();
		for (Instance i : instances)
			instance(i);
	}

	void record() {
		int tag = in.get() & 0xff;
		in.getInt();
		int length = in.getInt();
		int end = in.position() + length;
		boolean whole = length >= 0 && end <= in.limit();
		if (tag == 0x0c || tag == 0x1c)
			heap(whole ? end : in.limit());
		if (!whole) {
			in.position(in.limit());
			return;
		}
		records.merge(RECORDS[tag], 1L, Long::sum);
		in.position(end);
	}

	/** Sub-records up to @end; one that does not fit is not counted. */
	void heap(int end) {
		ByteBuffer all = in.duplicate();
		int limit = in.limit();
		in.limit(end);
		try {
			while (in.hasRemaining()) {
				int tag = in.get() & 0xff;
				subrecord(tag);
				subrecords.merge(SUBRECORDS[tag], 1L,
						Long::sum);
			}
		} catch (java.nio.BufferUnderflowException e) {
			if (end != all.limit())
				throw e;
		}
		in.limit(limit);
	}

	void subrecord(int tag) {
		switch (tag) {
		case 0xff, 0x05, 0x07 -> skip(idSize);
		case 0x01 -> skip(2 * idSize);
		case 0x02, 0x03, 0x08 -> skip(idSize + 8);
		case 0x04, 0x06 -> skip(idSize + 4);
		case 0x20 -> classDump();
		case 0x21 -> instanceDump();
		case 0x22 -> objectArray();
		case 0x23 -> primitiveArray();
		default -> throw new IllegalStateException("sub-tag " + tag);
		}
	}

	void classDump() {
		Layout layout = new Layout();
		List<Long> statics = new ArrayList<>();
		long id = id();
		in.getInt();
		layout.superId = id();
		skip(5 * idSize + 4);
		for (int n = in.getShort() & 0xffff; n > 0; n--) {
			in.getShort();
			skip(size(in.get()));
		}
		for (int n = in.getShort() & 0xffff; n > 0; n--) {
			id();
			int type = in.get();
			if (type == 2)
				statics.add(id());
			else
				skip(size(type));
		}
		for (int n = in.getShort() & 0xffff; n > 0; n--) {
			id();
			layout.types.add((int)in.get());
		}
		defined.add(id);
		classes.put(id, layout);
		statics.forEach(this::reference);
	}

	void instanceDump() {
		long id = id();
		in.getInt();
		long classId = id();
		int length = in.getInt();
		int pos = in.position();
		skip(length);
		defined.add(id);
		instances.add(new Instance(classId, pos, length));
	}

	void objectArray() {
		long id = id();
		in.getInt();
		int n = in.getInt();
		id();
		int pos = in.position();
		skip(Math.multiplyExact(n, idSize));
		in.position(pos);
		for (int i = 0; i < n; i++)
			reference(id());
		defined.add(id);
	}

	void primitiveArray() {
		long id = id();
		in.getInt();
		int n = in.getInt();
		skip(Math.multiplyExact(n, size(in.get())));
		defined.add(id);
	}

	void instance(Instance i) {
		in.position(i.pos);
		long c = i.classId;
		while (c != 0) {
			Layout layout = classes.get(c);
			for (int type : layout.types) {
				if (type == 2)
					reference(id());
				else
					skip(size(type));
			}
			c = layout.superId;
		}
		if (in.position() != i.pos + i.length)
			throw new IllegalStateException("instance at " + i.pos);
	}

	static String json(Map<String, Long> counts) {
		StringBuilder s = new StringBuilder("{");
		counts.forEach((k, v) -> s.append(s.length() > 1 ? "," : "")
			.append('"').append(k).append("\":").append(v));
		return s.append('}').toString();
	}

	void print(PrintStream out) {
		long dangling = references.stream()
			.filter(r -> !defined.contains(r)).count();
		out.printf("{\"bytes\":%d,\"id_size\":%d,\"records\":%s,"
			+ "\"subrecords\":%s,\"references\":{\"checked\":%d,"
			+ "\"null\":%d,\"dangling\":%d}}%n",
			in.limit(), idSize, json(records), json(subrecords),
			references.size(), nulls, dangling);
	}

	public static void main(String[] args) throws IOException {
		Tally t = new Tally(Files.readAllBytes(Path.of(args[0])));
		t.all();
		t.print(System.out);
	}
}
