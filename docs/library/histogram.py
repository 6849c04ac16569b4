"""The ten largest classes of a dump: python3 histogram.py DUMP"""
import ctypes
import sys


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 500)]


if len(sys.argv) != 2:
    print("usage: histogram.py DUMP", file=sys.stderr)
    sys.exit(2)
hprof = ctypes.CDLL("libhprof.so.0")
for name, result in [("rows", ctypes.c_size_t), ("class", ctypes.c_char_p),
                     ("count", ctypes.c_uint64), ("bytes", ctypes.c_uint64)]:
    getattr(hprof, "hprof_histogram_" + name).restype = result

histogram, error = ctypes.c_void_p(), Error()
if hprof.hprof_histogram_read(sys.argv[1].encode(), None,
                              ctypes.byref(histogram), ctypes.byref(error)):
    sys.exit("histogram: " + error.text.decode())
for i in range(min(10, hprof.hprof_histogram_rows(histogram))):
    row = ctypes.c_size_t(i)
    print(hprof.hprof_histogram_count(histogram, row),
          hprof.hprof_histogram_bytes(histogram, row),
          getattr(hprof, "hprof_histogram_class")(histogram, row).decode(),
          sep="\t")
hprof.hprof_histogram_free(histogram)
