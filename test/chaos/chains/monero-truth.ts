import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../../src/platform/processes/supervised-process.ts";
import { type MoneroNode, walletArgumentsOf } from "../../../src/sandbox/monero-node.ts";
import { accountPath } from "../../../src/signer/keys/account-paths.ts";
import { sealKeys } from "../../../src/signer/keys/key-ring.ts";
import { openKeystore } from "../../../src/signer/keys/keystore.ts";
import {
  deriveMoneroKeys,
  primaryAddress,
  secretHex,
} from "../../../src/signer/monero/account-keys.ts";
import { quietPort } from "../../scenarios/support/quiet-port.ts";
import { queryMonero } from "../../support/query-monero.ts";
import { itself, type Output } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

type Header = { readonly height: number; readonly hash: string; readonly prev_hash: string };
/** Of a wallet; amounts in the smallest unit, without change. */
type WalletTransfer = {
  readonly txid: string;
  readonly height: number;
  readonly address: string;
  readonly amount: number;
  readonly fee: number;
};
type WalletTransfers = {
  readonly in?: readonly WalletTransfer[];
  readonly out?: readonly WalletTransfer[];
};

/** More than the deposits of a run. */
const subaddresses = 1_500;
/** What a wallet creates in one call. */
const addressesAtOnce = 64;
const readyTries = 300;
const pauseMs = 100;
const stopPatienceMs = 20_000;

/**
 * What Monero's own wallets find in the blocks: one with the deployment's keys, which nobody else uses, for what it receives and spends, and
 * the faucet's, to which the receivers of payouts belong. `node`: whichever runs now.
 */
export function moneroTruth(options: {
  /** The deployment's folder, with the signer's keys. */
  readonly home: string;
  readonly walletRpc: string;
  readonly node: () => MoneroNode;
  readonly currency: string;
}): OpenTruth {
  const { currency, node } = options;
  let opening: Promise<OwnWallet> | null = null;
  const ours = (): Promise<OwnWallet> => (opening ??= openOwnWallet(options));
  const daemon = <Result>(method: string, params = {}): Promise<Result> =>
    queryMonero<Result>(node().rpcUrl, method, params);
  const headerAt = async (height: number): Promise<Header> =>
    (await daemon<{ readonly block_header: Header }>("get_block_header_by_height", { height }))
      .block_header;
  const transfersAt = (url: string, height: number): Promise<WalletTransfers> =>
    queryMonero<WalletTransfers>(url, "get_transfers", {
      in: true,
      out: true,
      all_accounts: true,
      filter_by_height: true,
      min_height: height - 1,
      max_height: height,
    });
  return {
    // As for the service: block 0 is in another format.
    firstHeight: 1,
    holderOf: itself,
    numbersOutputs: false,
    mayContradictItself: false,
    // Whatever is read of the blocks up to it, the wallets have read as well.
    tipHeight: async () => {
      const { url } = await ours();
      await Promise.all([url, node().walletUrl].map((wallet) => queryMonero(wallet, "refresh")));
      const { block_header } = await daemon<{ readonly block_header: Header }>(
        "get_last_block_header",
      );
      return block_header.height;
    },
    hashAt: async (height) => {
      try {
        return (await headerAt(height)).hash;
      } catch (error) {
        if (/greater than current top block height/.test(String(error))) return null;
        throw error;
      }
    },
    blockAt: async (height) => {
      const { primary, url } = await ours();
      const own = await transfersAt(url, height);
      const others = await transfersAt(node().walletUrl, height);
      // Read last, so that a block that was replaced in the meantime is noticed.
      const { hash, prev_hash } = await headerAt(height);
      const outputs = [...(own.in ?? []), ...(others.in ?? [])].map(
        ({ address, amount, txid }): Output => ({
          txid,
          vout: null,
          address,
          currency,
          units: BigInt(amount),
        }),
      );
      const spent = own.out ?? [];
      return {
        height,
        hash,
        parentHash: prev_hash,
        outputs,
        debits: spent.map(({ amount, fee, txid }) => ({
          txid,
          address: primary,
          currency,
          units: BigInt(amount) + BigInt(fee),
        })),
        burnt: new Map(spent.map(({ fee, txid }) => [txid, BigInt(fee)])),
      };
    },
    waiting: async () => {
      const response = await fetch(`${node().rpcUrl}/get_transaction_pool`, { method: "POST" });
      const { transactions = [] } = (await response.json()) as {
        readonly transactions?: readonly { readonly id_hash: string }[];
      };
      return new Set(transactions.map(({ id_hash }) => id_hash));
    },
    // All of them are of one account.
    holdings: async () => {
      const { url } = await ours();
      await queryMonero(url, "refresh");
      const { balance } = await queryMonero<{ readonly balance: number }>(url, "get_balance", {
        account_index: 0,
      });
      return BigInt(balance);
    },
    close: async () => {
      await (await opening)?.stop();
    },
  };
}

type OwnWallet = {
  readonly url: string;
  /** Where change goes. */
  readonly primary: string;
  readonly stop: () => Promise<void>;
};

async function openOwnWallet({
  home,
  node,
  walletRpc,
}: {
  readonly home: string;
  readonly node: () => MoneroNode;
  readonly walletRpc: string;
}): Promise<OwnWallet> {
  const folder = join(home, "own-wallet");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const program = startSupervised(
    walletRpc,
    [
      `--daemon-address=${new URL(node().rpcUrl).host}`,
      `--rpc-bind-port=${port}`,
      `--wallet-dir=${folder}`,
      `--shared-ringdb-dir=${join(folder, "rings")}`,
      `--log-file=${join(folder, "wallet.log")}`,
      ...(await walletArgumentsOf(walletRpc)),
    ],
    { HOME: folder },
  );
  const stop = async (): Promise<void> => {
    await program.end(systemClock, stopPatienceMs);
  };
  try {
    await untilReady(url, program);
    const { primary, ...keys } = await ownKeys(home);
    await queryMonero(url, "generate_from_keys", {
      ...keys,
      address: primary,
      filename: "own",
      password: "",
      restore_height: 0,
      autosave_current: false,
    });
    await queryMonero(url, "auto_refresh", { enable: false });
    await createAddresses(url, subaddresses);
    return { url, primary, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the next subaddresses of a wallet's account 0 known to it. */
export async function createAddresses(url: string, wanted: number): Promise<readonly string[]> {
  const created: string[] = [];
  while (created.length < wanted) {
    const count = Math.min(addressesAtOnce, wanted - created.length);
    const { addresses } = await queryMonero<{ readonly addresses: readonly string[] }>(
      url,
      "create_address",
      { account_index: 0, count },
    );
    created.push(...addresses);
  }
  return created;
}

async function untilReady(url: string, program: SupervisedProcess): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await queryMonero(url, "get_version");
      return;
    } catch (error) {
      if (program.hasEnded() || tried === readyTries) throw error;
      await systemClock.sleep(pauseMs);
    }
  }
}

/** The deployment's keys, as wallets take them. */
async function ownKeys(
  home: string,
): Promise<{ readonly primary: string; readonly spendkey: string; readonly viewkey: string }> {
  const passphrase = await readFile(join(home, "passphrase"));
  const entropy = await openKeystore(
    join(home, "signer", "keystore.json"),
    Buffer.from(passphrase.toString("utf8").trim()),
  );
  const sealed = sealKeys(entropy, systemRandom);
  const path = accountPath({ coinType: 128, isSharedByNetworks: false }, "", "test");
  const keys = sealed.lend((ring) => deriveMoneroKeys(ring.at, path));
  return {
    primary: primaryAddress(keys, "main"),
    spendkey: secretHex(keys.spendSecret),
    viewkey: secretHex(keys.viewSecret),
  };
}
