import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesToHex } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import type { LoopbackServer } from "../loopback-server.ts";
import { createControl } from "./control.ts";
import { familyMethods } from "./family-methods.ts";
import { openFaucet } from "./faucet.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import type { LedgerNode, SimulatedNode } from "./node.ts";
import { serveLedger } from "./serve-ledger.ts";
import { walletMethods } from "./wallet-methods.ts";

export type UtxoLedgerOptions = World & {
  readonly kind: SimulatedNode;
  /** The ledger's folder, created when missing; the chain in it survives restarts and `kill -9`. */
  readonly folder: string;
  /** The port of the first start in the folder; 0 or a taken one: a free port. */
  readonly port: number;
};

/** A simulated node of a chain of the Bitcoin family. */
export type UtxoLedger = {
  /** Includes the credentials; the same after every restart in the folder while the port is free. */
  readonly rpcUrl: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  readonly faucetWallet: string;
  /** Resolves when the ledger was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const walletName = "faucet";
const rpcUser = "sluice";
const matureCoinbases = 30;

/**
 * Starts a private node of that kind in this process, on the loopback interface. The first start in a folder mines the faucet's
 * coins; later ones continue the chain.
 */
export async function startUtxoLedger(options: UtxoLedgerOptions): Promise<UtxoLedger> {
  const { clock, folder, kind, logger, random } = options;
  const { rules } = kind;
  const { entries, journal } = await openJournal(folder);
  try {
    const opened = await openLedger(
      rules,
      { entries, journal },
      { clock, newSeed: () => bytesToHex(random.bytes(32)) },
    );
    const faucet = openFaucet(rules, opened);
    const node: LedgerNode = { rules, faucet, ...opened };
    await mineFirstBlocks(node);
    const site = await readSite(options);
    const served = {
      credentials: `${rpcUser}:${site.password}`,
      walletName,
      methods: { ...familyMethods(node), ...kind.methods(node) },
      walletMethods: walletMethods(node, walletName),
      control: createControl(node),
      logger,
    };
    const server = await serveLedger(site.port, served).catch(() => serveLedger(0, served));
    if (server.port !== site.port) await writeSite(folder, { ...site, port: server.port });
    return runningLedger(server, served.credentials, journal.close);
  } catch (error) {
    await journal.close();
    throw error;
  }
}

function runningLedger(
  server: LoopbackServer,
  credentials: string,
  closeJournal: () => Promise<void>,
): UtxoLedger {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  return {
    rpcUrl: `http://${credentials}@127.0.0.1:${server.port}`,
    sandboxUrl: `http://127.0.0.1:${server.port}/sandbox`,
    faucetWallet: walletName,
    ended,
    stop: async () => {
      await server.close();
      await closeJournal();
      resolve(undefined);
    },
  };
}

/** As many blocks as make 30 coinbases mature; none if the chain has them already. */
async function mineFirstBlocks({ chain, faucet, ledger, rules }: LedgerNode): Promise<void> {
  const count = rules.coinbaseMaturity + matureCoinbases - chain.tip().height;
  if (count <= 0) return;
  const script = present(rules.scriptOfAddress(await faucet.newAddress()), "its script");
  await ledger.mine({ script, count, isEmpty: true });
}

type Site = { readonly port: number; readonly password: string };

async function readSite({ folder, port, random }: UtxoLedgerOptions): Promise<Site> {
  try {
    return JSON.parse(await readFile(join(folder, "node.json"), "utf8")) as Site;
  } catch {
    const site = { port, password: bytesToHex(random.bytes(24)) };
    await writeSite(folder, site);
    return site;
  }
}

function writeSite(folder: string, site: Site): Promise<void> {
  return writeAtomically(join(folder, "node.json"), JSON.stringify(site));
}
