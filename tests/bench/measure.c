/* measure.c - run a command and say what it took.
 *
 *   measure OUT COMMAND...
 *
 * OUT receives the command's stdout and stderr, its stdin is ours.  One line
 * goes to stdout: user and system CPU seconds, wall-clock seconds, peak
 * memory in KiB (pages of mapped files included), exit status.  Exit status 0
 * when the command ran, whatever it returned; 2 when it did not or was
 * killed. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void run(const char *out, char **argv)
{
    int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
        _exit(127);
    close(fd);
    execvp(argv[0], argv);
    _exit(127);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure OUT COMMAND...\n");
        return 2;
    }
    double start = seconds();
    pid_t pid = fork();
    if (pid == 0)
        run(argv[1], argv + 2);
    int status;
    struct rusage u;
    if (pid < 0 || wait4(pid, &status, 0, &u) != pid) {
        perror("measure");
        return 2;
    }
    double wall = seconds() - start;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) {
        fprintf(stderr, "measure: %s did not run to its end\n", argv[2]);
        return 2;
    }
    printf("%.6f %.6f %.6f %ld %d\n", of(u.ru_utime), of(u.ru_stime), wall,
           u.ru_maxrss, WEXITSTATUS(status));
    return 0;
}
