import { homedir } from "node:os";
import { it, type TestContext } from "vitest";
import { type FoundDaemon, findDaemon } from "../../../src/sandbox/find-daemon.ts";
import type { TestSite } from "./test-site.ts";

const daemons = { BTC: "bitcoind", LTC: "litecoind" } as const;
/** Time limit of one scenario, in ms. Scenarios of one chain take turns: the last one waits for all others. */
export const patienceMs = 2_700_000;

/** Registers scenarios that run concurrently on one site. */
export type DefineScenario = (
  name: string,
  chains: readonly string[],
  scenario: (site: TestSite) => Promise<void>,
) => void;

/**
 * Registers a scenario as a test that runs concurrently with the others. If the daemon of a chain that it needs is neither installed
 * nor fetched, it is skipped under a title that says why and what to do.
 */
export function scenariosOn(site: () => TestSite): DefineScenario {
  return (name, chains, scenario) => {
    const reason = chains.flatMap(reasonMissing)[0];
    if (reason === undefined) {
      it.concurrent(name, { timeout: patienceMs }, () => scenario(site()));
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
