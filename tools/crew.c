/* crew.c - threads that work on many small tasks of jobs that come in order. */
#include "tools/crew.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct item {
    struct item *next;
    void *job;
    uint32_t tasks, begun, done;
};

struct hand {
    crew *c;
    void *worker;
    pthread_t id;
};

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t more,
        ready; /* tasks for the threads; a job for the caller */
    struct item *first, *last;
    struct item *at; /* the first one with tasks that nobody has begun */
    size_t jobs;
    uint64_t done;
    bool stop;
    unsigned busy; /* tasks under way */
    crew_work *work;
    struct hand *hands;
    unsigned nhands;
};

/* With the lock held. */
static struct item *next_item(crew *c)
{
    while (c->at && c->at->begun == c->at->tasks)
        c->at = c->at->next;
    return c->at;
}

static void *run(void *arg)
{
    struct hand *h = arg;
    crew *c = h->c;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        struct item *i;
        while (!c->stop && !(i = next_item(c)))
            pthread_cond_wait(&c->more, &c->lock);
        if (c->stop)
            break;
        const uint32_t task = i->begun++;
        c->busy++;
        pthread_mutex_unlock(&c->lock);
        c->work(h->worker, i->job, task);
        pthread_mutex_lock(&c->lock);
        c->busy--;
        i->done++;
        c->done++;
        if (i == c->first && i->done == i->tasks)
            pthread_cond_signal(&c->ready);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

xq_status crew_open(crew **out, void *const *workers, unsigned n,
                    crew_work *work, xq_err *err)
{
    crew *c = calloc(1, sizeof *c);
    struct hand *hands = calloc(n, sizeof *hands);
    if (!c || !hands) {
        free(c);
        free(hands);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    pthread_condattr_t steady; /* waiting is not upset by a clock set anew */
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    pthread_cond_init(&c->ready, &steady);
    pthread_condattr_destroy(&steady);
    c->work = work;
    c->hands = hands;
    while (c->nhands < n) {
        struct hand *h = &hands[c->nhands];
        *h = (struct hand){.c = c, .worker = workers[c->nhands]};
        if (pthread_create(&h->id, NULL, run, h) != 0)
            break; /* those there are do it all */
        c->nhands++;
    }
    if (c->nhands == 0) {
        crew_close(c);
        return xq_fail(err, XQ_EIO, "no thread can be started");
    }
    *out = c;
    return XQ_OK;
}

xq_status crew_add(crew *c, void *job, uint32_t tasks, xq_err *err)
{
    struct item *i = calloc(1, sizeof *i);
    if (!i)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    i->job = job;
    i->tasks = tasks;
    pthread_mutex_lock(&c->lock);
    if (c->last)
        c->last->next = i;
    else
        c->first = i;
    c->last = i;
    if (!c->at)
        c->at = i;
    c->jobs++;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    return XQ_OK;
}

static struct timespec in_ms(unsigned ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += (long)(ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

void *crew_next(crew *c, unsigned ms)
{
    const struct timespec until = in_ms(ms);
    void *job = NULL;
    int e = 0;
    pthread_mutex_lock(&c->lock);
    struct item *i = c->first;
    while (i && i->done < i->tasks && e != ETIMEDOUT)
        e = ms ? pthread_cond_timedwait(&c->ready, &c->lock, &until)
               : ETIMEDOUT;
    if (i && i->done == i->tasks) {
        job = i->job;
        if (c->at == i)
            c->at = i->next;
        c->first = i->next;
        if (!c->first)
            c->last = NULL;
        c->jobs--;
        free(i);
    }
    pthread_mutex_unlock(&c->lock);
    return job;
}

size_t crew_jobs(const crew *c) { return c->jobs; }

uint64_t crew_done(crew *c)
{
    pthread_mutex_lock(&c->lock);
    const uint64_t n = c->done;
    pthread_mutex_unlock(&c->lock);
    return n;
}

bool crew_stop(crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->more);
    const bool idle = c->busy == 0;
    pthread_mutex_unlock(&c->lock);
    return idle;
}

void crew_close(crew *c)
{
    if (!c)
        return;
    crew_stop(c);
    for (unsigned i = 0; i < c->nhands; i++)
        pthread_join(c->hands[i].id, NULL);
    while (c->first) {
        struct item *next = c->first->next;
        free(c->first);
        c->first = next;
    }
    pthread_cond_destroy(&c->more);
    pthread_cond_destroy(&c->ready);
    pthread_mutex_destroy(&c->lock);
    free(c->hands);
    free(c);
}
