/* A plain server for the requests of the app that Benchmarks/run measures, so that the service has something to be compared
 * with that anybody can build: C, one thread, epoll and libpq.
 *
 *   cc -O2 -o peer Benchmarks/peer.c $(pkg-config --cflags --libs libpq)
 *   psql -f Benchmarks/peer.sql        in a database of the service, which has players and words
 *   ./peer MODE PORT CONNECTIONS [--ledger]
 *
 * It listens at PORT of 127.0.0.1 and has so many CONNECTIONS with the database that libpq's variables name (PGHOST,
 * PGDATABASE, ...). The MODE is
 *
 *   single  what one writes by hand: each request takes a free connection of the pool, or waits for one. One statement,
 *           one round trip, one commit.
 *   batch   the least that a server could do with libpq: what arrived while a connection was busy is sent to it together,
 *           as one transaction, and answered after its commit. A player's requests all go to the same connection, so that
 *           two transactions never wait for each other.
 *
 * With --ledger each change of energy also writes a row that says why, in the same statement.
 *
 * It is no server to deploy. It has no rules: no idempotency keys, limits, accounts, prices or checks of what it is sent.
 * It recovers from nothing: an error of the database ends it. Of HTTP and JSON it understands what the loads send.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <libpq-fe.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A word that the player has not played: the first of sixteen drawn at random. %d is how many words there are. OFFSET 0 has
 * PostgreSQL look each up in the index, instead of reading all that the player has played. */
#define UNPLAYED_WORD(player) \
    "SELECT word FROM peer.words WHERE id = (SELECT drawn.id FROM (SELECT 1 + floor(random() * %d)::integer AS id" \
    " FROM generate_series(1, 16)) AS drawn WHERE NOT EXISTS (SELECT FROM peer.played_words AS played" \
    " WHERE played.user_id = " player " AND played.word_id = drawn.id OFFSET 0) LIMIT 1)"
#define WRITE_ENTRY(delta, reason, reference, source) \
    "INSERT INTO peer.ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)" \
    " SELECT id, 'entry ' || entries, entries, " delta ", energy, '" reason "', " reference " FROM " source

enum { BATCH = 64, HIGHEST = 1000, EVENTS = 256 };

/* The kinds of requests. */
static const struct kind {
    const char *type;       /* its "requestType" */
    const char *parameter;  /* the member of the request that is the second parameter; the first is the player */
    const char *result;     /* the member of the answer that is the first column */
    bool deals;             /* whether the second column is a word */
    const char *sql;
    const char *with_ledger; /* NULL: the same */
} kinds[] = {
    {"fetchUserWins", NULL, "userWins", false, "SELECT wins FROM peer.users WHERE id = $1", NULL},
    {"updateUserWins", NULL, "userWins", false, "UPDATE peer.users SET wins = wins + 1 WHERE id = $1 RETURNING wins", NULL},
    {"singleGameEnergyUpdate", NULL, "userEnergy", false,
     "UPDATE peer.users SET energy = energy - 5 WHERE id = $1 AND energy >= 5 RETURNING energy",
     "WITH paid AS (UPDATE peer.users SET energy = energy - 5, entries = entries + 1 WHERE id = $1 AND energy >= 5 RETURNING *),"
     " written AS (" WRITE_ENTRY("-5", "game", "NULL", "paid") ") SELECT energy FROM paid"},
    {"handleEnergyPurchase", "\"energyPurchaseAmount\"", "userEnergy", false,
     "WITH bought AS (UPDATE peer.users SET energy = energy + $2 WHERE id = $1 RETURNING *),"
     " kept AS (INSERT INTO peer.purchases (user_id, amount) SELECT id, $2 FROM bought) SELECT energy FROM bought",
     "WITH bought AS (UPDATE peer.users SET energy = energy + $2, entries = entries + 1 WHERE id = $1 RETURNING *),"
     " written AS (" WRITE_ENTRY("$2", "purchase", "NULL", "bought") ") SELECT energy FROM bought"},
    {"statNewGameSession", NULL, "userEnergy", true,
     "WITH paid AS (UPDATE peer.users SET energy = energy - 5 WHERE id = $1 AND energy >= 5 RETURNING *)"
     " SELECT energy, (" UNPLAYED_WORD("paid.id") ") FROM paid",
     "WITH paid AS (UPDATE peer.users SET energy = energy - 5, entries = entries + 1 WHERE id = $1 AND energy >= 5 RETURNING *),"
     " dealt AS MATERIALIZED (SELECT *, (" UNPLAYED_WORD("paid.id") ") AS word FROM paid),"
     " written AS (" WRITE_ENTRY("-5", "game", "word", "dealt") ") SELECT energy, word FROM dealt"},
    {"updateUserPlayedWordsList", "\"playedWord\"", NULL, false,
     "INSERT INTO peer.played_words (user_id, word_id) SELECT $1, id FROM peer.words WHERE word = $2 ON CONFLICT DO NOTHING",
     NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What epoll reports, and what is done about it. */
struct source {
    void (*ready)(struct source *);
};

/* A client, which has one request under way at most. */
struct client {
    struct source source;
    int socket;
    bool is_waiting, is_gone;
    const struct kind *kind;
    char player[64], parameter[32];
    int read_count;
    char request[4096], answer[512];
    struct client *next;
};

struct queue {
    struct client *first, *last;
};

struct connection {
    struct source source;
    PGconn *database;
    struct queue *waiting, own, sent, answered;
    bool is_busy;
};

static struct connection connections[HIGHEST];
static int connection_count, events;
static bool is_batch;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "peer: %s: %s\n", what, why);
    exit(1);
}

static void put(struct queue *queue, struct client *client) {
    client->next = NULL;
    if (queue->first) queue->last->next = client;
    else queue->first = client;
    queue->last = client;
}

static struct client *take(struct queue *queue) {
    struct client *client = queue->first;
    if (client) queue->first = client->next;
    return client;
}

static void watch(int descriptor, struct source *source) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    if (epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event)) fail("epoll_ctl", strerror(errno));
}

/* The database */

static const char *statement_name(const struct kind *kind) {
    static char name[8];
    snprintf(name, sizeof name, "s%d", (int)(kind - kinds));
    return name;
}

/* Sends what waits to the connections that are free: one request, or all that arrived meanwhile. */
static void send_waiting(void) {
    for (int i = 0; i < connection_count; i++) {
        struct connection *connection = &connections[i];
        struct client *client;
        if (connection->is_busy) continue;
        for (int n = 0; n < (is_batch ? BATCH : 1) && (client = take(connection->waiting)); n++) {
            const char *values[] = {client->player, client->parameter};
            int count = client->kind->parameter ? 2 : 1;
            if (!PQsendQueryPrepared(connection->database, statement_name(client->kind), count, values, NULL, NULL, 0))
                fail("a statement", PQerrorMessage(connection->database));
            put(&connection->sent, client);
            connection->is_busy = true;
        }
        if (connection->is_busy && !PQpipelineSync(connection->database))
            fail("a batch", PQerrorMessage(connection->database));
    }
}

static void make_answer(struct client *client, PGresult *result) {
    ExecStatusType outcome = PQresultStatus(result);
    if (outcome != PGRES_TUPLES_OK && outcome != PGRES_COMMAND_OK)
        fail(client->kind->type, PQresultErrorMessage(result));
    const char *member = client->kind->result;
    int status = member && PQntuples(result) == 0 ? 404 : 200;
    char body[384];
    int length = sprintf(body, "{\"lambdaInvocationHttpsStatusCode\":%d,\"body\":{\"dynamoDBInvocationHttpsStatusCode\":%d", status, status);
    if (member && status == 200) {
        length += sprintf(body + length, ",\"%s\":%s", member, PQgetvalue(result, 0, 0));
        if (client->kind->deals) {
            length += sprintf(body + length, ",\"secretWord\":[");
            const char *word = PQgetvalue(result, 0, 1);
            for (int i = 0; word[i] && i < 8; i++)
                length += sprintf(body + length, i ? ",\"%c\"" : "\"%c\"", toupper(word[i]));
            length += sprintf(body + length, "]");
        }
    }
    length += sprintf(body + length, "}}");
    snprintf(client->answer, sizeof client->answer,
             "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
             status == 200 ? "200 OK" : "404 Not Found", length, body);
}

static void finish(struct client *client);

static void connection_ready(struct source *source) {
    struct connection *connection = (struct connection *)source;
    struct client *client;
    if (!PQconsumeInput(connection->database)) fail("the database", PQerrorMessage(connection->database));
    while (connection->is_busy && !PQisBusy(connection->database)) {
        PGresult *result = PQgetResult(connection->database);
        if (!result) continue; /* between two statements */
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
            /* Committed. */
            connection->is_busy = false;
            while ((client = take(&connection->answered))) finish(client);
        } else {
            client = take(&connection->sent);
            make_answer(client, result);
            put(&connection->answered, client);
        }
        PQclear(result);
    }
}

static void connect_all(int count, bool has_ledger) {
    connection_count = count;
    for (int i = 0; i < count; i++) {
        struct connection *connection = &connections[i];
        PGconn *database = connection->database = PQconnectdb("");
        if (PQstatus(database) != CONNECTION_OK) fail("connect", PQerrorMessage(database));
        PGresult *words = PQexec(database, "SELECT count(*) FROM peer.words");
        if (PQresultStatus(words) != PGRES_TUPLES_OK) fail("peer.sql", PQresultErrorMessage(words));
        for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
            char sql[2048];
            snprintf(sql, sizeof sql, has_ledger && kind->with_ledger ? kind->with_ledger : kind->sql,
                     atoi(PQgetvalue(words, 0, 0)));
            PGresult *prepared = PQprepare(database, statement_name(kind), sql, 0, NULL);
            if (PQresultStatus(prepared) != PGRES_COMMAND_OK) fail(kind->type, PQresultErrorMessage(prepared));
            PQclear(prepared);
        }
        PQclear(words);
        /* What it sends is short, so it may wait until it is sent. It never waits for a result. */
        if (!PQenterPipelineMode(database)) fail("pipeline", PQerrorMessage(database));
        connection->source.ready = connection_ready;
        connection->waiting = &connections[is_batch ? i : 0].own;
        watch(PQsocket(database), &connection->source);
    }
}

/* The clients */

static void respond(struct client *client, const char *answer) {
    ssize_t length = strlen(answer);
    /* epoll reports a connection that was shut down, which is then closed. */
    if (send(client->socket, answer, length, MSG_NOSIGNAL) != length) shutdown(client->socket, SHUT_RDWR);
}

static void close_client(struct client *client) {
    close(client->socket);
    free(client);
}

static void finish(struct client *client) {
    client->is_waiting = false;
    if (client->is_gone) close_client(client);
    else respond(client, client->answer);
}

/* Copies a member's value: a text without escapes, or a number. */
static void copy_member(const char *body, const char *name, char *value, int size) {
    int length = 0;
    const char *found = name ? strstr(body, name) : NULL;
    if (found) {
        found += strlen(name);
        found += strspn(found, "\": ");
        length = strcspn(found, "\",}");
        if (length >= size) length = 0;
        memcpy(value, found, length);
    }
    value[length] = 0;
}

/* Queues a client's request, once it is complete. */
static void accept_request(struct client *client) {
    static const char ok[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nok\n";
    char type[64];
    const char *end = strstr(client->request, "\r\n\r\n");
    if (!end) return;
    if (!strncmp(client->request, "GET ", 4)) { /* /health, /ready */
        client->read_count = 0;
        respond(client, ok);
        return;
    }
    const char *length = strcasestr(client->request, "\r\ncontent-length:"), *body = end + 4;
    if (!length || length > end) return (void)shutdown(client->socket, SHUT_RDWR);
    if (client->request + client->read_count - body < atoi(length + 17)) return;
    client->read_count = 0;
    copy_member(body, "\"requestType\"", type, sizeof type);
    copy_member(body, "\"userID\"", client->player, sizeof client->player);
    for (client->kind = kinds; strcmp(type, client->kind->type);)
        if (++client->kind == kinds + KINDS) return (void)shutdown(client->socket, SHUT_RDWR);
    copy_member(body, client->kind->parameter, client->parameter, sizeof client->parameter);
    unsigned hash = 5381;
    for (const char *letter = client->player; *letter; letter++) hash = hash * 33 + (unsigned char)*letter;
    client->is_waiting = true;
    put(connections[hash % connection_count].waiting, client);
}

static void client_ready(struct source *source) {
    struct client *client = (struct client *)source;
    ssize_t count = recv(client->socket, client->request + client->read_count, sizeof client->request - 1 - client->read_count, 0);
    if (count < 0 && errno == EAGAIN) return;
    /* It ended, or it sent a request that does not fit or that comes before the last answer. */
    if (count <= 0 || client->is_waiting) {
        epoll_ctl(events, EPOLL_CTL_DEL, client->socket, NULL);
        client->is_gone = true;
        if (!client->is_waiting) close_client(client);
        return;
    }
    client->read_count += count;
    client->request[client->read_count] = 0;
    accept_request(client);
}

static int listening;

static void listener_ready(struct source *source) {
    (void)source;
    int descriptor, one = 1;
    while ((descriptor = accept4(listening, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct client *client = calloc(1, sizeof *client);
        if (!client) fail("calloc", strerror(errno));
        client->source.ready = client_ready;
        client->socket = descriptor;
        watch(descriptor, &client->source);
    }
}

static void listen_at(int port) {
    static struct source source = {listener_ready};
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 4096)) fail("listen", strerror(errno));
    watch(listening, &source);
}

int main(int count, char **arguments) {
    int pool = count > 3 ? atoi(arguments[3]) : 0;
    is_batch = count > 1 && !strcmp(arguments[1], "batch");
    bool has_ledger = count == 5 && !strcmp(arguments[4], "--ledger");
    if ((!is_batch && (count < 2 || strcmp(arguments[1], "single"))) || pool < 1 || pool > HIGHEST || count > 4 + has_ledger)
        fail("usage", "peer single|batch PORT CONNECTIONS [--ledger]");
    events = epoll_create1(0);
    connect_all(pool, has_ledger);
    listen_at(atoi(arguments[2]));
    for (;;) {
        struct epoll_event ready[EVENTS];
        int found = epoll_wait(events, ready, EVENTS, -1);
        for (int i = 0; i < found; i++) {
            struct source *source = ready[i].data.ptr;
            source->ready(source);
            if (!is_batch) send_waiting();
        }
        /* After all that is there was read, so that it goes together. */
        if (is_batch) send_waiting();
    }
}
