import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { UtxoDaemon } from "../currencies/utxo-facts.ts";

export type DaemonName = UtxoDaemon["daemon"] | "monerod" | "monero-wallet-rpc";

export type FoundDaemon =
  | { readonly kind: "found"; readonly path: string }
  /** `reason` says how to fix it. */
  | { readonly kind: "missing"; readonly reason: string };

/** The environment variables that locate programs. */
export type DaemonEnvironment = {
  readonly path: string;
  readonly home: string;
  /** `XDG_CACHE_HOME`, empty when it is not set. */
  readonly cacheHome: string;
};

/** Debian's `/usr/bin/litecoind` is a wrapper that writes to the home folder, so the real program comes first. */
const installedAt: Readonly<Record<DaemonName, readonly string[]>> = {
  bitcoind: [],
  litecoind: ["/usr/lib/litecoin/litecoind"],
  monerod: [],
  "monero-wallet-rpc": [],
};

/** Where `scripts/fetch-nodes.sh` stores programs: outside any clone and `SLUICE_HOME`. */
function daemonCacheFolder(environment: DaemonEnvironment): string {
  const cacheHome =
    environment.cacheHome === "" ? join(environment.home, ".cache") : environment.cacheHome;
  return join(cacheHome, "sluice", "nodes");
}

/** Finds a node's program: installed ones first, then fetched ones. */
export function findDaemon(name: DaemonName, environment: DaemonEnvironment): FoundDaemon {
  const candidates = [
    ...installedAt[name],
    ...environment.path
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => join(folder, name)),
    join(daemonCacheFolder(environment), name, name),
  ];
  const path = candidates.find(isProgram);
  if (path !== undefined) return { kind: "found", path };
  return {
    kind: "missing",
    reason: `${name} is not installed; run scripts/fetch-nodes.sh ${fetchArguments(name)}(Debian's archive, no root needed) or put ${name} on PATH`,
  };
}

/** What the script fetches on its own needs no naming. */
function fetchArguments(name: DaemonName): string {
  return name.startsWith("monero") ? '"" monerod monero-wallet-rpc ' : "";
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
