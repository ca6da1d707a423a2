import { join } from "node:path";
import { encode, Wallet } from "xrpl";
import { findCoin } from "../../../src/currencies/coins.ts";
import { openFaucet } from "../../../src/main/families/sandbox-families.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { XrplSite } from "../../../src/sandbox/sandbox-file.ts";
import { faucetSeed } from "../../../src/sandbox/xrpl/genesis.ts";
import { initialSettings } from "../../../src/sandbox/xrpl/settings.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { postTo } from "../../support/query-tron.ts";
import { queryXrpl } from "../../support/query-xrpl.ts";
import type { Choices } from "../seeded-choices.ts";
import type { ChaosChain, OpenChainControl } from "./chaos-chain.ts";
import { ledgerPart } from "./ledger-part.ts";
import { xrplTruth } from "./xrpl-truth.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
/** Ledgers are at least a second of their own time apart, so this keeps their time near the clock's. */
const ledgerMs = 1_000;
/** Our transactions are valid for 150 ledgers. */
const expiryLedgers = 152;
const allBroadcasts = 1_000_000_000;

/** An XRP Ledger on the simulated node, which has lost its open ledger after a kill. */
export async function xrplChaosChain(chain: string, home: string): Promise<ChaosChain> {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const site: XrplSite = {
    family: "xrpl",
    simulated: true,
    rpc_url: url,
    ws_url: `ws://127.0.0.1:${port}`,
    sandbox_url: `${url}/sandbox`,
    faucet_seed: faucetSeed,
    network_id: initialSettings.networkId,
  };
  const program = join(import.meta.dirname, "xrpl-process.ts");
  return {
    chain,
    part: ledgerPart({
      name: "xrpl",
      command: [program, join(home, "xrpl"), String(port)],
      lose: () => () => Promise.resolve(),
    }),
    prepare: () => Promise.resolve(site),
    // Validated ledgers survive a kill.
    keep: () => Promise.resolve(),
    openControl: () => xrplControl(chain, site),
    openTruth: () => xrplTruth(site, present(findCoin(chain), chain).coin.id),
    newAddress: () => Wallet.generate().address,
    pace: { blockMs: ledgerMs, reorgChance: 0, faultChance: 0.05 },
  };
}

async function command({ sandbox_url }: XrplSite, path: string, body: JsonObject): Promise<void> {
  await postTo(sandbox_url, path, body);
}

function xrplControl(chain: string, site: XrplSite): OpenChainControl {
  const faucet = openFaucet(chain, site, world);
  const signed = new Map<string, string>();
  const mine = (): Promise<void> => command(site, "/mine", { blocks: 1 });
  return {
    payableAtOnce: 1,
    pay: async ([intent]) => {
      const txid = await faucet.pay(intent!.alpha, intent!.address, intent!.amount);
      const { tx_json } = await queryXrpl<{
        readonly tx_json?: JsonObject & { readonly DeliverMax: string };
      }>(site, "tx", { transaction: txid });
      // Absent if the node swallowed it.
      if (tx_json !== undefined) {
        const { DeliverMax, ...members } = tx_json;
        signed.set(txid, encode({ ...members, Amount: DeliverMax } as never));
      }
      return [txid];
    },
    payAgain: async (txid) => {
      const tx_blob = signed.get(txid);
      if (tx_blob === undefined) return false;
      const { engine_result } = await queryXrpl<{ readonly engine_result?: string }>(
        site,
        "submit",
        { tx_blob },
      );
      return engine_result === "tesSUCCESS";
    },
    mine,
    finalAfter: 1,
    reorgDepthMax: 0,
    reorg: () => Promise.reject(new Error("validated ledgers are final")),
    misbehave: async (choices) => {
      await choices.pick([loseSome, loseOpen, loseUntilExpiry])(site, choices, mine);
    },
    close: faucet.close,
  };
}

type Mishap = (site: XrplSite, choices: Choices, mine: () => Promise<void>) => Promise<void>;

/** The node answers that it has the next transactions, and forgets them. */
const loseSome: Mishap = (site, choices) =>
  command(site, "/swallow-broadcasts", { count: choices.integer(1, 5) });

/** No other server has received what is in the open ledger. */
const loseOpen: Mishap = (site) => command(site, "/drop-open", {});

/** Everything that is sent for a while is lost, and has expired when the node takes transactions again. */
const loseUntilExpiry: Mishap = async (site, choices, mine) => {
  await command(site, "/swallow-broadcasts", { count: allBroadcasts });
  for (let ledger = choices.integer(3, 10); ledger > 0; ledger -= 1) {
    await systemClock.sleep(ledgerMs);
    await mine();
  }
  await command(site, "/mine", { blocks: expiryLedgers });
  await command(site, "/swallow-broadcasts", { count: 0 });
};
