import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { freePort } from "../../platform/processes/free-port.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../platform/processes/supervised-process.ts";
import { DraftRefused } from "../draft-signer.ts";
import type { ClaimAnswer, ClaimedCoins, CoinClaims } from "../intent.ts";
import { type MoneroKeys, primaryAddress, secretHex } from "./account-keys.ts";
import type { MoneroNetwork } from "./address.ts";
import { createWalletClient, loginOf, type WalletClient, WalletError } from "./wallet-client.ts";
import { isObject } from "./wallet-methods.ts";

export type OfflineWalletOptions = {
  /** The path of monero-wallet-rpc. */
  readonly program: string;
  /** Belongs to the wallet alone: created with mode 0700 when it starts, removed when it ends. */
  readonly folder: string;
  readonly network: MoneroNetwork;
  readonly clock: Clock;
  readonly random: Random;
};

/** What the wallet signed, in hexadecimal. */
export type SignedByWallet = { readonly raw: string; readonly keys: string };

/** See `LateDraftSigner.claimCoins`. */
export type ShownOutputs = {
  /** What `export_outputs` of a view-only wallet returns. */
  readonly outputs: string;
  readonly which: ClaimedCoins;
  readonly addresses: number | null;
};

/** Monero's own wallet, without a connection to anything but this process. */
export type OfflineWallet = {
  /**
   * Signs a set that a view-only wallet drafted, which must contain one transaction. Throws `DraftRefused` if the wallet refuses the
   * set, and rejects with another error if the wallet does not answer.
   */
  readonly sign: (unsigned: string, keys: MoneroKeys) => Promise<SignedByWallet>;
  readonly claimCoins: (shown: ShownOutputs, keys: MoneroKeys) => Promise<ClaimAnswer>;
  /** The 25 words of the account, as Monero's wallets read and write them. */
  readonly words: (keys: MoneroKeys) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** It starts within two seconds on an idle machine, and opening the account takes as long, for it computes 10,000 addresses. */
const startMs = 120_000;
/** How much of that a request waits for. A later one finds the program open. */
const startWaitMs = 15_000;
/** With the wait, below the time limit of a request to the signer. */
const answerMs = 20_000;
const pollMs = 100;
const patienceMs = 5_000;

/** Subaddresses that a new wallet knows. */
const firstAddresses = 200;
/** The most that it creates at once. */
const addressesAtOnce = 64;
/** Whatever the worker shows it. */
const addressesMax = 2_000_000;

type Running = {
  readonly process: SupervisedProcess;
  readonly client: WalletClient;
  /** Of the wallet's file. */
  readonly filePassword: string;
  /** How many subaddresses of the account it knows. */
  addresses: number;
};

/**
 * Runs monero-wallet-rpc as a child of the signer when it is first needed, and again after it ended or did not answer. It knows the
 * keys, so its files are encrypted with a password that is in no file, and it answers only who knows another one. It keeps nothing
 * that a restart would miss, except the coins: the worker shows them again.
 */
export function createOfflineWallet(options: OfflineWalletOptions): OfflineWallet {
  const { clock, folder } = options;
  let running: Running | null = null;
  let opening: Promise<Running> | null = null;
  let growing: Promise<void> | null = null;

  const end = async (): Promise<void> => {
    const ending = running;
    running = null;
    if (ending !== null) {
      ending.client.close();
      await ending.process.end(clock, patienceMs);
    }
    await rm(folder, { recursive: true, force: true });
  };

  const startOpen = async (keys: MoneroKeys): Promise<Running> => {
    await end();
    try {
      running = await launch(options);
      await untilAnswers(running, options);
      await createAccount(running, keys, options);
      return running;
    } catch (error) {
      await end();
      throw error;
    }
  };

  /** Does not give up a start that takes longer than the request may: on a slow machine none would ever succeed. */
  const open = async (keys: MoneroKeys, waitMs: number): Promise<Running> => {
    if (opening === null && running?.process.hasEnded() === false) return running;
    opening ??= startOpen(keys).finally(() => {
      opening = null;
    });
    const opened = await within(clock, opening, waitMs);
    if (opened === null) throw new Error(`${options.program} is still starting`);
    return opened;
  };

  /**
   * Has the wallet create as many subaddresses again as it knows. Rejects with `WalletError` while it does: it goes on, and the next request
   * finds them.
   */
  const grow = async (wallet: Running): Promise<void> => {
    growing ??= createAddresses(wallet, wallet.addresses * 2).finally(() => {
      growing = null;
    });
    // Nobody may be waiting when it fails.
    growing.catch(() => undefined);
    const isGrown = await within(
      clock,
      growing.then(() => true),
      startWaitMs,
    );
    if (isGrown === null)
      throw new WalletError(`it creates subaddresses, ${wallet.addresses} so far`);
  };

  const claimCoins = async (
    wallet: Running,
    { outputs, which, addresses }: ShownOutputs,
  ): Promise<ClaimAnswer> => {
    for (;;) {
      try {
        return await claimOutputs(wallet.client, outputs, which);
      } catch (error) {
        if (!(error instanceof WalletError) || !isNotOurs(error)) throw error;
        if (addresses !== null && addresses <= wallet.addresses) {
          await forgetOutputs(wallet);
          return "refused";
        }
        if (wallet.addresses >= addressesMax) throw error;
        await grow(wallet);
      }
    }
  };

  /**
   * Without an answer, it is unknown what the program does: the next request starts another one. A refused draft is an answer, and another
   * program would know no coins.
   */
  const ask = async <Answer>(
    keys: MoneroKeys,
    use: (wallet: Running) => Promise<Answer>,
    waitMs = startWaitMs,
  ): Promise<Answer> => {
    const wallet = await open(keys, waitMs);
    try {
      return await use(wallet);
    } catch (error) {
      const hasAnswered = error instanceof WalletError || error instanceof DraftRefused;
      if (!hasAnswered) await end();
      throw error;
    }
  };

  return {
    sign: (unsigned, keys) => ask(keys, ({ client }) => signSet(client, unsigned)),
    claimCoins: (shown, keys) => ask(keys, (wallet) => claimCoins(wallet, shown)),
    // No request over a socket.
    words: (keys) => ask(keys, ({ client }) => readWords(client), startMs),
    close: end,
  };
}

async function launch({
  program,
  folder,
  network,
  random,
}: OfflineWalletOptions): Promise<Running> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [port, password] = [await freePort(), passwordFrom(random)];
  const process = startSupervised(
    program,
    [
      ...(network === "main" ? [] : [`--${network}net`]),
      "--offline",
      "--rpc-bind-ip=127.0.0.1",
      `--rpc-bind-port=${port}`,
      "--rpc-ssl=disabled",
      `--wallet-dir=${folder}`,
      `--shared-ringdb-dir=${join(folder, "rings")}`,
      `--log-file=${join(folder, "log")}`,
      "--log-level=0",
      "--max-log-files=1",
    ],
    // Read from the environment, which no other user sees, as arguments would be.
    { RPC_LOGIN: loginOf(password), HOME: folder },
  );
  return {
    process,
    client: createWalletClient(port, password),
    filePassword: passwordFrom(random),
    addresses: firstAddresses,
  };
}

/** The result, or null if it takes longer than `waitMs`. */
async function within<Result>(
  clock: Clock,
  result: Promise<Result>,
  waitMs: number,
): Promise<Result | null> {
  const isOver = new AbortController();
  const tooLate = clock.sleep(waitMs, isOver.signal).then(() => null);
  return await Promise.race([result, tooLate]).finally(() => {
    isOver.abort();
  });
}

/** An import that failed leaves outputs behind with which the next one fails, so the wallet is opened again as it was saved, without any. */
async function forgetOutputs({ client, filePassword: password }: Running): Promise<void> {
  await client.call("close_wallet", { autosave_current: false }, answerMs);
  await client.call("open_wallet", { filename, password }, startMs);
}

/** Creates subaddresses until there are `count`. */
async function createAddresses(wallet: Running, count: number): Promise<void> {
  await forgetOutputs(wallet);
  const { client } = wallet;
  const account_index = 0;
  if (await looksAhead(wallet, count)) {
    // The next one makes it look ahead.
    await client.call("create_address", { account_index, count: 1 }, startMs);
    wallet.addresses = count;
  }
  // Each of these takes it as long as the 200 that it looks ahead.
  while (wallet.addresses < count) {
    await client.call("create_address", { account_index, count: addressesAtOnce }, startMs);
    wallet.addresses += addressesAtOnce;
  }
  await client.call("store", {}, startMs);
}

/** Whether it looks so far ahead from now on; versions before 0.18.4.1 have no such setting. */
async function looksAhead({ client, filePassword }: Running, count: number): Promise<boolean> {
  try {
    const params = { major_idx: 1, minor_idx: count, password: filePassword };
    await client.call("set_subaddress_lookahead", params, startMs);
    return true;
  } catch (error) {
    if (error instanceof WalletError && error.message.includes("Method not found")) return false;
    throw error;
  }
}

async function untilAnswers(
  { client, process }: Running,
  { clock, program }: OfflineWalletOptions,
): Promise<void> {
  const startedAt = clock.now();
  for (;;) {
    try {
      await client.call("get_version", {}, pollMs * 10);
      return;
    } catch (error) {
      const waitedMs = (clock.now() - startedAt) / 1_000;
      if (process.hasEnded() || waitedMs > startMs)
        throw new Error(`${program} does not start: ${process.output()}`, { cause: error });
    }
    await clock.sleep(pollMs);
  }
}

const filename = "account";

async function createAccount(
  { client, filePassword: password }: Running,
  keys: MoneroKeys,
  { network }: OfflineWalletOptions,
): Promise<void> {
  await client.call(
    "generate_from_keys",
    {
      filename,
      address: primaryAddress(keys, network),
      spendkey: secretHex(keys.spendSecret),
      viewkey: secretHex(keys.viewSecret),
      password,
      restore_height: 0,
      // Of its words.
      language: "English",
    },
    startMs,
  );
}

async function signSet(client: WalletClient, unsigned: string): Promise<SignedByWallet> {
  let signed;
  try {
    const params = { unsigned_txset: unsigned, export_raw: true, get_tx_keys: true };
    signed = await client.call("sign_transfer", params, answerMs);
  } catch (error) {
    // Its coins are shown to it again before the request is repeated.
    if (!(error instanceof WalletError) || isMissingCoins(error)) throw error;
    throw new DraftRefused(error.message);
  }
  const { tx_raw_list: raws, tx_key_list: keys } = signed;
  const [raw, ...others] = listOf(raws);
  const [key] = listOf(keys);
  if (raw === undefined || key === undefined || others.length > 0)
    throw new DraftRefused("the set does not contain exactly one transaction");
  return { raw, keys: key };
}

/** The wallet proves each key image that it exports, which takes it longer than anything else here. */
async function claimOutputs(
  client: WalletClient,
  outputs: string,
  which: ClaimedCoins,
): Promise<CoinClaims | null> {
  try {
    await client.call("import_outputs", { outputs_data_hex: outputs }, answerMs);
  } catch (error) {
    if (error instanceof WalletError && isMissingCoins(error)) return null;
    throw error;
  }
  if (which === "none") return { offset: 0, claims: [] };
  const { offset = 0, signed_key_images: images } = await client.call(
    "export_key_images",
    { all: which === "all" },
    answerMs,
  );
  const list: readonly unknown[] = Array.isArray(images) ? images : [];
  return {
    offset: Number(offset),
    claims: list.map((image) => {
      const { key_image: claim, signature: proof } = isObject(image) ? image : {};
      if (!isHex(claim) || !isHex(proof)) throw new Error("the wallet's key images cannot be read");
      return { claim, proof };
    }),
  };
}

async function readWords(client: WalletClient): Promise<string> {
  const { key } = await client.call("query_key", { key_type: "mnemonic" }, answerMs);
  if (typeof key !== "string" || !/^[a-z]+(?: [a-z]+){24}$/.test(key))
    throw new Error("the wallet's words cannot be read");
  return key;
}

/** The set, or the list, names coins that the wallet has not been shown since it started (monero's src/wallet/wallet2.cpp). */
function isMissingCoins({ message }: WalletError): boolean {
  return message.includes("No record of output") || message.includes("omit more outputs");
}

/**
 * An output pays a subaddress beyond those that the wallet knows, or is one that only a view-only wallet takes for ours (see
 * `areOutputKeysPoints` of the worker's `scan.ts`).
 */
function isNotOurs({ message }: WalletError): boolean {
  return message.includes("Failed to generate key image");
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isHex) : [];
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^(?:[0-9a-f]{2})+$/.test(value);
}

function passwordFrom(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("hex");
}
