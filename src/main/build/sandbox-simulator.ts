import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createReadDeposit } from "../../deposits/read-deposits.ts";
import { present } from "../../platform/kernel/assert.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { startCallbackReceiver } from "../../sandbox/callback-receiver.ts";
import { createSimulator } from "../../sandbox/create-simulator.ts";
import type { DemoAccounts } from "../../sandbox/demo-accounts.ts";
import type { SandboxFile } from "../../sandbox/sandbox-file.ts";
import type { Simulator } from "../../sandbox/simulator.ts";
import { openFaucet } from "../families/sandbox-families.ts";
import type { Teardown } from "../processes/teardown.ts";
import { depositContext, type Foundation } from "./foundation.ts";

/** The sandbox's simulator with its callback receiver, which keeps its port across restarts where possible. */
export async function createSandboxSimulator(
  foundation: Foundation,
  site: {
    readonly home: string;
    readonly demo: DemoAccounts;
    readonly chains: SandboxFile["chains"];
  },
  teardown: Teardown,
): Promise<Simulator> {
  const { db, clock, random, logger, currencies } = foundation;
  const { demo, chains } = site;
  const portFile = join(site.home, "receiver-port");
  const known = Number(await readFile(portFile, "utf8").catch(() => "0"));
  const port = Number.isSafeInteger(known) && known > 0 && known < 65_536 ? known : 0;
  const receiver = await teardown.track(
    "callback receiver",
    startCallbackReceiver(clock, demo, port),
    (started) => started.close(),
  );
  await writeAtomically(portFile, `${receiver.port}\n`);
  return createSimulator({
    clock,
    currencies,
    chains: Object.keys(chains),
    openFaucet: (chain) =>
      openFaucet(chain, present(chains[chain], `sandbox of ${chain}`), { clock, random, logger }),
    receiver,
    readDeposit: createReadDeposit(db),
    changing: { ...depositContext(foundation), db, clock },
    accountId: demo.owner[0],
  });
}
