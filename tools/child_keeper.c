/* child_keeper.c - the process between us and another program. */
#include "tools/child_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* ---- starting ---- */

static void set_signals(const int *v, size_t n, void (*to)(int))
{
    for (size_t i = 0; i < n; i++)
        signal(v[i], to);
}

/* A group of its own, and nothing of our ways with signals.  (Those we catch
 * are the program's again by itself; SIGHUP stays ignored below nohup.) */
static void become_plain(void)
{
    static const int SIGNALS[] = {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ, SIGCHLD};
    sigset_t none;
    setpgid(0, 0);
    set_signals(SIGNALS, sizeof SIGNALS / sizeof *SIGNALS, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void fail(int why)
{
    const int e = errno;
    const ssize_t sent = write(why, &e, sizeof e);
    _exit(sent == sizeof e ? 127 : 126);
}

static _Noreturn void run_program(char *const *words, int in, int out, int why)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* should somebody kill the keeper */
#endif
    const int null = open("/dev/null", O_WRONLY);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(null, 2) >= 0)
        execvp(words[0], words);
    fail(why);
}

/* fork without what libraries want done at a fork, which may take locks. */
static pid_t plain_fork(void)
{
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
    return _Fork();
#endif
#endif
    return fork();
}

/* It must hold nothing of ours: an inherited pipe of another engine would keep
 * that one from seeing its input end, and our standard output would never end
 * for who reads it. */
static void close_all_but(int leash)
{
    if (leash != 0 && dup2(leash, 0) < 0)
        _exit(1);
    const long most = sysconf(_SC_OPEN_MAX);
    if (close_range(1, ~0u, 0) != 0)
        for (int fd = 1; fd < most; fd++)
            close(fd);
}

/* ---- ending ---- */

/* Wait for those that have ended, orphans of its too.  False: no child is left.
 * Once the program is waited for its number may be another's. */
static bool reap(pid_t *program)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        if (pid == *program)
            *program = 0;
    return pid == 0 || errno != ECHILD;
}

#ifdef __linux__

struct entry { /* as the kernel writes them */
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* Its parent, by /proc/PID/stat: "PID (NAME) STATE PARENT ...", where NAME may
 * be anything.  0: it is none that could be killed. */
static pid_t parent_of(const char *pid)
{
    char path[64] = "/proc/", text[512];
    if (strlen(pid) > 20)
        return 0;
    strcat(strcat(path, pid), "/stat");
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    const char *s = strrchr(text, ')');
    if (!s || s[1] != ' ' || s[2] == 'Z' || s[2] == '\0' || s[3] != ' ')
        return 0;
    pid_t parent = 0;
    for (s += 4; *s >= '0' && *s <= '9'; s++)
        parent = 10 * parent + (*s - '0');
    return parent;
}

static pid_t number_of(const char *s)
{
    pid_t n = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        n = 10 * n + (*s - '0');
    return *s ? 0 : n;
}

/* Kill our children, whose numbers are theirs until we wait for them.  How many
 * there were? */
static unsigned kill_children(void)
{
    _Alignas(struct entry) char buf[4096];
    const pid_t self = getpid();
    unsigned killed = 0;
    long n;
    const int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    while ((n = syscall(SYS_getdents64, fd, buf, sizeof buf)) > 0)
        for (long at = 0; at < n;) {
            const struct entry *e = (const struct entry *)(buf + at);
            const pid_t pid = number_of(e->name);
            at += e->size;
            if (pid > 1 && parent_of(e->name) == self)
                killed += kill(pid, SIGKILL) == 0;
        }
    close(fd);
    return killed;
}

#endif

/* Kill them, then those that have come to us thereby, and so on.  Some cannot
 * be: of another user, or where /proc is not to be seen.  They are left when
 * there has been nothing else for a while. */
static void end_all(pid_t program)
{
    if (program > 0) {
        kill(-program, SIGKILL);
        kill(program, SIGKILL); /* when it has left its group */
    }
#ifdef __linux__
    enum { PASSES = 200 };
    struct timespec pause = {0, 500000};
    for (int idle = 0; reap(&program) && idle < PASSES; idle++) {
        if (kill_children() > 0)
            idle = 0;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20000000)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
#else
    while (program > 0 && waitpid(program, NULL, 0) < 0 && errno == EINTR)
        ;
#endif
}

static void on_child(int sig) { (void)sig; }

_Noreturn void child_keeper(char *const *words, int in, int out, int why,
                            int leash)
{
    static const int TYPED[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    char c;
    become_plain();
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    pid_t program = plain_fork();
    if (program == 0)
        run_program(words, in, out, why);
    if (program < 0)
        fail(why);
    setpgid(program, program); /* whoever comes first */
    close_all_but(leash);
    set_signals(TYPED, sizeof TYPED / sizeof *TYPED, SIG_IGN);
#ifdef __linux__
    /* A program that leaves orphans must not fill the table of processes: the
     * signal ends the read. */
    const struct sigaction sa = {.sa_handler = on_child};
    sigaction(SIGCHLD, &sa, NULL);
    while (read(0, &c, 1) < 0 && errno == EINTR)
        reap(&program);
#else
    (void)on_child;
    while (read(0, &c, 1) < 0 && errno == EINTR)
        ;
#endif
    end_all(program);
    _exit(0);
}
