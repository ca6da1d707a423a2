import { join } from "node:path";
import { Account, Keypair, MuxedAccount } from "@stellar/stellar-sdk/base";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { StellarSite } from "../../../src/sandbox/sandbox-file.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { queryStellar } from "../../support/query-stellar.ts";
import { postTo } from "../../support/query-tron.ts";
import { stellarSiteAt } from "../../support/stellar-site.ts";
import { partsOf } from "../place.ts";
import type { Choices } from "../seeded-choices.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";
import { stellarTruth } from "./stellar-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
/** Ledgers are at least a second of their own time apart, so this keeps their time near the clock's. */
const ledgerMs = 1_000;
/** Our transactions are valid for ten minutes. */
const expirySeconds = 620;
/** The signer signs nothing that expires an hour from its own time. */
const aheadSecondsMax = 2_100;
const allBroadcasts = 2_000;
/** Accounts whose sequences payouts with memos use. */
const channels = 4;

/** A Stellar network on the simulated node, which has lost what waited after a kill. */
export async function stellarChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  // The run has no asset of its tokens.
  const site = { ...stellarSiteAt(port), tokens: {} };
  const program = join(import.meta.dirname, "stellar-process.ts");
  let receivers = 0;
  return {
    chain,
    part: ledgerPart({
      name: "stellar",
      command: [program, join(home, "stellar"), String(port)],
      lose: () => () => Promise.resolve(),
    }),
    prepare: () => Promise.resolve(site),
    // Closed ledgers survive a kill.
    keep: () => Promise.resolve(),
    openControl: () => stellarControl(chain, site),
    openTruth: () => stellarTruth(site, present(findCoin(chain), chain).coin.id),
    newAddress: () => {
      receivers += 1;
      const account = Keypair.random().publicKey();
      if (receivers % 2 === 0) return account;
      return new MuxedAccount(new Account(account, "0"), String(receivers)).accountId();
    },
    pace: { blockMs: ledgerMs, reorgChance: 0, faultChance: 0.05 },
    config: { channels },
  };
}

async function command({ sandbox_url }: StellarSite, path: string, body: JsonObject) {
  await postTo(sandbox_url, path, body);
}

function stellarControl(chain: string, site: StellarSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  const mine = (): Promise<void> => command(site, "/mine", { blocks: 1 });
  let newest: string | null = null;
  /** A node takes one transaction of an account per ledger, and nobody else closes ledgers during a payment. */
  const makeRoom = async (): Promise<void> => {
    if (newest === null) return;
    const found = await queryStellar<{ readonly status: string }>(site, "getTransaction", {
      hash: newest,
    });
    if (found?.status === "NOT_FOUND") await mine();
  };
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => {
      const { address, tag } = partsOf(intent!.address);
      await makeRoom();
      newest = await faucet.pay(intent!.alpha, address, intent!.amount, tag);
      return [newest];
    },
    // What a node forgot has a sequence that a later payment of the faucet uses.
    payAgain: () => Promise.resolve(false),
    mine,
    finalAfter: 1,
    reorgDepthMax: 0,
    reorg: () => Promise.reject(new Error("closed ledgers are final")),
    misbehave: async (choices) => {
      await choices.pick([loseSome, loseUntilExpiry])(site, choices, mine);
    },
    close: faucet.close,
  };
}

type Mishap = (site: StellarSite, choices: Choices, mine: () => Promise<void>) => Promise<void>;

/** The node answers that it has the next transactions, and forgets them. */
const loseSome: Mishap = (site, choices) =>
  command(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });

/** Everything that is sent for a while is lost, and has expired when the node takes transactions again. */
const loseUntilExpiry: Mishap = async (site, choices, mine) => {
  const newest = await queryStellar<{ readonly closeTime: string }>(site, "getLatestLedger", {});
  const ahead = Number(newest?.closeTime ?? 0) - Date.now() / 1_000;
  if (ahead > aheadSecondsMax - expirySeconds) return;
  await command(site, "/swallow-broadcasts", { count: allBroadcasts });
  for (let ledger = choices.integer(3, 10); ledger > 0; ledger -= 1) {
    await systemClock.sleep(ledgerMs);
    await mine();
  }
  await command(site, "/mine", { blocks: 1, seconds: expirySeconds });
  await command(site, "/swallow-broadcasts", { count: 0 });
};
