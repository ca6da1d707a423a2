import { join } from "node:path";
import { loopback } from "./cluster-site.ts";
import type { ClusterPrograms } from "./find-programs.ts";

export type PatroniNode = {
  /** Of the server. */
  readonly name: string;
  readonly patroni: string;
  /** Of Patroni and its server. */
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  /** Where the other servers and Patronis reach this one. */
  readonly peersPort: number;
  readonly peersRestPort: number;
  /** Where this Patroni reaches etcd's members. */
  readonly etcdPorts: readonly number[];
};

/** `service`: of the role `sluice`. */
export type PostgresPasswords = {
  readonly superuser: string;
  readonly replication: string;
  readonly service: string;
};

/** Seconds: how long a lost leader keeps its key, between two looks at it, and per attempt to reach etcd. */
const patroniTimes = { ttl: 20, loop_wait: 3, retry_timeout: 5 } as const;

/**
 * Patroni's configuration of one server. A commit waits for either of the two others (`quorum`), so the loss of one stops nothing, and
 * a promoted server has every acknowledged commit.
 */
export function patroniConfig(
  node: PatroniNode,
  { postgresBin }: ClusterPrograms,
  passwords: PostgresPasswords,
): unknown {
  return {
    scope: "sluice",
    name: node.name,
    restapi: { listen: loopback(node.restPort), connect_address: loopback(node.peersRestPort) },
    // Without `use_proxies` it would go around the links, to the addresses that the members publish.
    etcd3: { hosts: node.etcdPorts.map(loopback), use_proxies: true },
    bootstrap: {
      dcs: {
        ...patroniTimes,
        // A crashed primary is not waited for: another one takes over.
        primary_start_timeout: 0,
        synchronous_mode: "quorum",
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 200,
            synchronous_commit: "on",
            wal_log_hints: "on",
            // A replica that is silent is given up before clients are.
            wal_sender_timeout: "5s",
            wal_receiver_timeout: "10s",
            jit: "off",
            // Vacuum does not cancel lists on a standby.
            hot_standby_feedback: "on",
            log_min_messages: "log",
            // Statements contain private data, and refused duplicates are normal.
            log_min_error_statement: "panic",
            timezone: "UTC",
            log_timezone: "UTC",
          },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
    },
    postgresql: {
      listen: loopback(node.port),
      connect_address: loopback(node.peersPort),
      data_dir: join(node.folder, "data"),
      bin_dir: postgresBin,
      // Without it a new replica waits for the primary's next checkpoint.
      basebackup: [{ checkpoint: "fast" }],
      pgpass: join(node.folder, "pgpass"),
      authentication: {
        superuser: { username: "postgres", password: passwords.superuser },
        replication: { username: "replicator", password: passwords.replication },
        rewind: { username: "rewinder", password: passwords.replication },
      },
      parameters: { unix_socket_directories: "" },
      pg_hba: [
        "host all all 127.0.0.1/32 scram-sha-256",
        "host replication replicator 127.0.0.1/32 scram-sha-256",
      ],
    },
  };
}
