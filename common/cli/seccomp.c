/*
 * seccomp.c - the system calls that are refused
 *
 * A list of what is refused rather than of what is allowed: C libraries and
 * sanitizers add calls of their own over the years, and must not break. Which
 * files can be opened is left to Landlock (sandbox.c).
 */
#include "common/cli/seccomp.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define HP_AUDIT_ARCH AUDIT_ARCH_X86_64
#else
#define HP_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/* Newer than some headers; the same on all architectures. */
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#endif
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif

/* In-force flags: all threads, and no slower code against Spectre. */
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

static const int hp_refused[] = {
	/* other programs */
	__NR_execve,
	__NR_execveat,
	/* the network and other sockets */
	__NR_socket,
	__NR_socketpair,
	__NR_connect,
	__NR_bind,
	__NR_listen,
	__NR_accept,
	__NR_accept4,
	__NR_sendto,
	__NR_sendmsg,
	__NR_sendmmsg,
	/* other processes */
	__NR_process_vm_readv,
	__NR_process_vm_writev,
	__NR_kill,
	__NR_tkill,
	__NR_rt_sigqueueinfo,
	__NR_rt_tgsigqueueinfo,
	__NR_pidfd_send_signal,
	__NR_pidfd_getfd,
	__NR_kcmp,
#if !HP_SANITIZED
	__NR_ptrace,
#endif
	/* the system */
	__NR_mount,
	__NR_umount2,
	__NR_pivot_root,
	__NR_chroot,
	__NR_setns,
	__NR_unshare,
	__NR_init_module,
	__NR_finit_module,
	__NR_delete_module,
	__NR_kexec_load,
	__NR_reboot,
	__NR_swapon,
	__NR_swapoff,
	__NR_acct,
	__NR_settimeofday,
	__NR_clock_settime,
	__NR_adjtimex,
	__NR_clock_adjtime,
	__NR_sethostname,
	__NR_setdomainname,
	__NR_quotactl,
	__NR_syslog,
	__NR_bpf,
	__NR_perf_event_open,
	__NR_userfaultfd,
	__NR_io_uring_setup,
	__NR_fanotify_init,
	__NR_add_key,
	__NR_request_key,
	__NR_keyctl,
	/* ways around the rights on files */
	__NR_open_by_handle_at,
	__NR_mknodat,
	__NR_fchownat,
	__NR_fchown,
	__NR_setuid,
	__NR_setgid,
	__NR_setreuid,
	__NR_setregid,
	__NR_setresuid,
	__NR_setresgid,
	__NR_setgroups,
	__NR_capset,
#ifdef __x86_64__
	__NR_mknod,
	__NR_chown,
	__NR_lchown,
	__NR_iopl,
	__NR_ioperm,
#endif
};

#define HP_FILTER_MAX (2 * HP_ARRAY_LEN(hp_refused) + 16)

struct hp_filter {
	struct sock_filter code[HP_FILTER_MAX];
	unsigned short len;
};

static void
hp_filter_add(struct hp_filter *f, uint16_t code, uint32_t k, uint8_t if_true,
	      uint8_t if_false)
{
	f->code[f->len++] = (struct sock_filter){code, if_true, if_false, k};
}

static void
hp_filter_load(struct hp_filter *f, size_t offset)
{
	hp_filter_add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void
hp_filter_return(struct hp_filter *f, bool allow)
{
	hp_filter_add(f, BPF_RET | BPF_K,
		      allow ? SECCOMP_RET_ALLOW
			    : SECCOMP_RET_ERRNO | (uint32_t)EPERM,
		      0, 0);
}

/* If the loaded word is @k, refuse. */
static void
hp_filter_refuse(struct hp_filter *f, uint32_t k)
{
	hp_filter_add(f, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
	hp_filter_return(f, false);
}

/*
 * Both processors are little-endian as Linux runs them, so the low half of
 * an argument comes first.
 */
static void
hp_filter_build(struct hp_filter *f)
{
	f->len = 0;
	/* Calls in another architecture's numbers mean something else. */
	hp_filter_load(f, offsetof(struct seccomp_data, arch));
	hp_filter_add(f, BPF_JMP | BPF_JEQ | BPF_K, HP_AUDIT_ARCH, 1, 0);
	hp_filter_return(f, false);
	hp_filter_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	/* The numbers of the x32 ABI. */
	hp_filter_add(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
	hp_filter_return(f, false);
#endif
	for (size_t i = 0; i < HP_ARRAY_LEN(hp_refused); i++)
		hp_filter_refuse(f, (uint32_t)hp_refused[i]);
	/* Typing into the terminal in the user's name. */
	hp_filter_add(f, BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 1, 0);
	hp_filter_return(f, true);
	hp_filter_load(f, offsetof(struct seccomp_data, args[1]));
	hp_filter_refuse(f, TIOCSTI);
	hp_filter_refuse(f, 0x541C); /* TIOCLINUX */
	hp_filter_return(f, true);
}

bool
hp_seccomp_enter(void)
{
	struct hp_filter f;

	hp_filter_build(&f);
	struct sock_fprog program = {.len = f.len, .filter = f.code};
	if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		    &program) == 0)
		return true;
	/* Before Linux 4.17 there was no such flag. */
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

bool
hp_seccomp_enter(void)
{
	return false;
}

#endif
