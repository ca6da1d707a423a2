import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Paths of the programs beside Sluice's own. */
export type ClusterPrograms = {
  readonly etcd: string;
  readonly haproxy: string;
  readonly prometheus: string;
  readonly patroni: string;
  readonly patronictl: string;
  /** The folder of PostgreSQL's programs. */
  readonly postgresBin: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where `scripts/setup.js` stores them. As root, PostgreSQL runs as another user, who may not enter root's home folder.
 */
export function programsFolder(environment: Environment, isRoot: boolean): string {
  if (isRoot) return "/var/cache/sluice/programs";
  const cache = environment["XDG_CACHE_HOME"] ?? "";
  return join(cache === "" ? join(environment["HOME"] ?? "/", ".cache") : cache, "sluice/nodes");
}

/** Finds the programs; throws with what is missing and how to get it. */
export function findPrograms(environment: Environment, isRoot: boolean): ClusterPrograms {
  const folder = programsFolder(environment, isRoot);
  const fetched = (name: string, file = name): string => join(folder, name, file);
  const onPath = (environment["PATH"] ?? "").split(delimiter).filter((part) => part !== "");
  const places = {
    etcd: [...onPath.map((part) => join(part, "etcd")), fetched("etcd")],
    haproxy: [...onPath.map((part) => join(part, "haproxy")), fetched("haproxy")],
    prometheus: [...onPath.map((part) => join(part, "prometheus")), fetched("prometheus")],
    patroni: [fetched("patroni")],
    postgres: [fetched("postgres")],
  };
  const found = Object.fromEntries(
    Object.entries(places).map(([name, paths]) => [name, paths.find(isProgram)]),
  );
  const missing = Object.keys(places).filter((name) => found[name] === undefined);
  if (missing.length > 0) {
    throw new Error(
      `the cluster needs ${missing.join(", ")}. On Debian, run scripts/fetch-nodes.sh ${folder} ${missing.join(" ")} (no root needed)`,
    );
  }
  if (!existsSync("/usr/share/zoneinfo/UTC")) {
    throw new Error("PostgreSQL needs the time zones in /usr/share/zoneinfo: install tzdata");
  }
  return {
    etcd: found["etcd"] ?? "",
    haproxy: found["haproxy"] ?? "",
    prometheus: found["prometheus"] ?? "",
    patroni: fetched("patroni"),
    patronictl: fetched("patroni", "patronictl"),
    postgresBin: fetched("postgres", "usr/lib/postgresql/17/bin"),
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
