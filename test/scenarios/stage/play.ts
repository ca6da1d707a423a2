import { homedir } from "node:os";
import { it, type TestContext } from "vitest";
import { type FoundDaemon, findDaemon } from "../../../src/sandbox/find-daemon.ts";
import type { Stage } from "./stage.ts";

const daemons = { BTC: "bitcoind", LTC: "litecoind" } as const;
/** Time limit of one story, in ms. Stories of one chain take turns: the last one waits for all others. */
export const patienceMs = 1_200_000;

/** Registers stories that run concurrently on one stage. */
export type Play = (
  name: string,
  chains: readonly string[],
  story: (stage: Stage) => Promise<void>,
) => void;

/**
 * Registers a story as a test that runs concurrently with the others. If the daemon of a chain that it needs is neither installed
 * nor fetched, it is skipped under a title that says why and what to do.
 */
export function playOn(stage: () => Stage): Play {
  return (name, chains, story) => {
    const reason = chains.flatMap(reasonMissing)[0];
    if (reason === undefined) {
      it.concurrent(name, { timeout: patienceMs }, () => story(stage()));
      return;
    }
    const title = `${name}: NOT RUN, ${reason}`;
    console.warn(title);
    it(title, (context: TestContext) => {
      context.skip();
    });
  };
}

function reasonMissing(chain: string): readonly string[] {
  if (chain !== "BTC" && chain !== "LTC") return [];
  const found = daemonOf(chain);
  return found.kind === "found" ? [] : [found.reason];
}

/** The daemon of a chain of the Bitcoin family on this machine. */
export function daemonOf(chain: keyof typeof daemons): FoundDaemon {
  return findDaemon(daemons[chain], {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
}
