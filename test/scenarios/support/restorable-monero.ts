import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { type MoneroNodeOptions, startMoneroNode } from "../../../src/sandbox/monero-node.ts";
import type { MoneroSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryMonero } from "../../support/query-monero.ts";

export type MoneroPrograms = MoneroNodeOptions["programs"];

/** Keeps what the offline wallet signs from the signer. */
export type HeldSignatures = {
  /** Before it signs, or after it has signed. */
  readonly hold: (what: "request" | "answer") => Promise<void>;
  /** Whether something is held. */
  readonly isHeld: () => Promise<boolean>;
  /** The transaction, in hexadecimal, that the wallet has signed and the signer does not have; null if there is none. */
  readonly held: () => Promise<string | null>;
  readonly letGo: () => Promise<void>;
};

/** As many blocks as the network requires before an output is spent. */
const confirmations = 10;

/** A private Monero chain of a deployment in that folder, whose signer's wallet can be stopped after it has signed. */
export async function startRestorableMonero(
  folder: string,
  programs: MoneroPrograms,
): Promise<{
  readonly site: MoneroSite;
  readonly chainConfig: (
    nodesOf: (name: string, url: string) => Promise<readonly string[]>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly currency: Readonly<Record<string, unknown>>;
  readonly signerEnvironment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}> {
  const programFolder = join(folder, "bin");
  await mkdir(programFolder);
  const wrapper = join(programFolder, "monero-wallet-rpc");
  const command = [
    process.execPath,
    join(import.meta.dirname, "../../support/holding-wallet-process.ts"),
    programFolder,
    programs.walletRpc,
  ];
  const quoted = command.map((word) => `'${word}'`).join(" ");
  await writeFile(wrapper, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  await chmod(wrapper, 0o700);
  const node = await startMoneroNode({
    chain: "XMR",
    programs,
    folder: join(folder, "XMR"),
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
  });
  return {
    site: {
      family: "monero",
      rpc_url: node.rpcUrl,
      faucet_wallet_url: node.walletUrl,
      view_wallet_url: node.viewWalletUrl,
    },
    chainConfig: async (nodesOf) => ({
      network: "regtest",
      nodes: await nodesOf("XMR", node.rpcUrl),
      // Block 0 is in a format that no later block has.
      start_height: 1,
      wallet: (await nodesOf("XMR wallet", node.viewWalletUrl))[0],
    }),
    currency: { currency: "XMR", confirmation_blocks: confirmations },
    signerEnvironment: { PATH: `${programFolder}:${process.env["PATH"] ?? ""}` },
    stop: node.stop,
  };
}

/** For the deployment whose configuration is that file. */
export function heldSignatures(configFile: string): HeldSignatures {
  const file = (name: string): string => join(dirname(configFile), "bin", name);
  return {
    hold: (what) => writeFile(file("hold"), what),
    isHeld: () =>
      stat(file("held")).then(
        () => true,
        () => false,
      ),
    held: () =>
      readFile(file("held"), "utf8").then(
        (text) => /"tx_raw_list": *\[ *"([0-9a-f]+)"/.exec(text)?.[1] ?? null,
        () => null,
      ),
    letGo: async () => {
      await rm(file("hold"), { force: true });
      await rm(file("held"), { force: true });
    },
  };
}

/** Closes the view-only wallet of that deployment, and removes all its files, while no worker uses it. */
export async function loseViewWallet(
  configFile: string,
  { view_wallet_url }: MoneroSite,
): Promise<void> {
  await queryMonero(view_wallet_url, "close_wallet", { autosave_current: false });
  const folder = join(dirname(configFile), "XMR", "view-wallets");
  const files = await readdir(folder);
  if (!files.some((name) => name.startsWith("sluice-"))) throw new Error("there was no wallet");
  for (const name of files) await rm(join(folder, name), { recursive: true });
}
