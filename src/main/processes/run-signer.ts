import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { takeProcessLock } from "../../platform/processes/process-lock.ts";
import { createDraftSigners, type SignedChain } from "../../signer/create-draft-signers.ts";
import { endIfDamaged } from "../../signer/end-if-damaged.ts";
import type { KeyNetwork, KeyTree } from "../../signer/keys/account-paths.ts";
import { deriveKeys, type SignerKeys } from "../../signer/keys/derive-keys.ts";
import { sealKeys } from "../../signer/keys/key-ring.ts";
import {
  createKeystore,
  type KeyDerivationCost,
  openKeystore,
} from "../../signer/keys/keystore.ts";
import { type PassphraseSource, readPassphrase } from "../../signer/keys/read-passphrase.ts";
import { openDesk } from "../../signer/open-desk.ts";
import type { SigningOptions } from "../../signer/open-signing.ts";
import { openPair } from "../../signer/pair/open-pair.ts";
import type { PairSettings } from "../../signer/pair/pair-settings.ts";
import type { OpenActive, SignerPair } from "../../signer/pair/run-pair.ts";
import { replyLengthMax, requestLengthMax } from "../../signer/protocol.ts";
import { openClientList } from "../../signer/remote/client-list.ts";
import type { ListenerFiles } from "../../signer/remote/listen-remotely.ts";
import { type RemoteAccess, serveSigner } from "../../signer/serve-signer.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";

/** The options of signing; see `openSigning`. */
export type PayingSettings = Pick<SigningOptions, "approvalKeys" | "limitsWhenAbsent"> & {
  readonly chains: readonly SignedChain[];
  /** The wallet program of chains whose transactions it signs; absent: by its name on PATH. */
  readonly walletProgram?: string;
};

const defaultWalletProgram = "monero-wallet-rpc";

export type SignerSettings = {
  /** The folder of the keystore, the journals and, if its path is short enough, the socket. Mode 0700. */
  readonly folder: string;
  /** A folder on another disk: journals are copied there before anything is signed or issued. Null or absent: no copy. */
  readonly copyFolder?: string | null;
  readonly network: KeyNetwork;
  /** The accounts whose public keys it gives out and whose addresses it issues. */
  readonly keyTrees: readonly KeyTree[];
  readonly passphrase: PassphraseSource;
  /** Creates a missing keystore with this cost; null refuses to start without one (production). */
  readonly createWithCost: KeyDerivationCost | null;
  /** Absent: it issues addresses and signs nothing. */
  readonly paying?: PayingSettings;
  /** Where it also listens for clients of other machines; absent: only on its socket. */
  readonly listen?: SignerListen;
  /** Its part in a pair of signers; absent: it is the only one. */
  readonly pair?: PairSettings;
};

export type SignerListen = {
  readonly host: string;
  readonly port: number;
  readonly files: ListenerFiles;
  /** The list of clients and their rights. */
  readonly clientsFile: string;
};

export type RunningSigner = {
  readonly socketPath: string;
  /** The port on which it listens for other machines; null if it does not. */
  readonly port: number | null;
  /**
   * Resolves with the reason when it has to end and to be started again: a journal cannot be written, or another signer of the pair
   * is active.
   */
  readonly ended: Promise<string>;
  readonly close: () => Promise<void>;
};

/**
 * Runs the signer: opens the keystore, derives the public keys, and answers on the socket until closed. Rejects with
 * `KeystoreLocked`, `JournalDamaged`, `LimitsFault`, or `AlreadyRunning` while another signer runs on the folder. It opens no
 * database and no network connection; on the network it only listens, if the settings say so.
 */
export async function runSigner(
  settings: SignerSettings,
  context: {
    readonly random: Random;
    readonly logger: Logger;
    readonly clock: Clock;
    /** Replaces the draft signers of the configured chains. */
    readonly draftSigners?: SigningOptions["draftSigners"];
  },
): Promise<RunningSigner> {
  const { folder, copyFolder = null } = settings;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(join(folder, "lock"));
  const closing: (() => Promise<void> | void)[] = [lock.release];
  const close = async (): Promise<void> => {
    for (const step of closing) await step();
  };
  closing.unshift(refuseDebugger());
  try {
    const entropy = await unlock(settings, context.random);
    const keys = sealKeys(entropy, context.random);
    const derived = deriveKeys(entropy, settings.network, settings.keyTrees);
    const { journalKey, spendJournalKey, markKey } = derived;
    closing.unshift(
      keys.forget,
      () => void journalKey.fill(0),
      () => void spendJournalKey.fill(0),
      () => void markKey.fill(0),
    );
    const { clock, logger } = context;
    const options = signingOptions(settings, context);
    const open: OpenActive = (mirrors) =>
      openDesk(
        { ...settings, ...mirrors, copyFolder },
        { ...derived, keys, options, clock, logger },
      );
    const opened = await openAnswers(settings, derived, { clock, logger, open });
    closing.unshift(opened.close);
    const socketPath = signerSocketPath(folder);
    const server = await serveSigner({
      socketPath,
      remote: remoteAccess(settings.listen),
      desk: opened.desk,
      // A standby is sent lines of the journal, which contain a draft and its signed bytes.
      lengthMax: settings.pair === undefined ? requestLengthMax : replyLengthMax,
      clock,
      logger,
    });
    closing.unshift(server.close);
    return { socketPath, port: server.port, ended: opened.ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A single signer answers at once; one of a pair when the witness says so. */
async function openAnswers(
  settings: SignerSettings,
  derived: SignerKeys,
  context: { readonly clock: Clock; readonly logger: Logger; readonly open: OpenActive },
): Promise<Pick<SignerPair, "desk" | "ended" | "close">> {
  const { pair, folder, copyFolder = null, paying } = settings;
  if (pair === undefined) {
    const { answer, close } = await context.open({});
    const ending = Promise.withResolvers<string>();
    const desk = { answer: endIfDamaged(answer, ending.resolve), epoch: () => 0 };
    return { desk, ended: ending.promise, close };
  }
  const policy = { approvalKeys: paying?.approvalKeys ?? [], chains: paying?.chains ?? [] };
  return openPair({ pair, folder, copyFolder, ...policy }, derived, {
    ...context,
    openActive: context.open,
  });
}

function remoteAccess(listen: SignerListen | undefined): RemoteAccess | null {
  if (listen === undefined) return null;
  const { clientsFile, ...rest } = listen;
  return { ...rest, clients: openClientList(clientsFile) };
}

/**
 * Node opens its debugger on SIGUSR1, which would let anyone who may send signals read every key. Returns a function that
 * restores the default.
 */
function refuseDebugger(): () => void {
  const ignore = (): void => undefined;
  process.on("SIGUSR1", ignore);
  return () => void process.off("SIGUSR1", ignore);
}

function signingOptions(
  { folder, copyFolder = null, paying }: SignerSettings,
  {
    draftSigners,
    clock,
    random,
  }: {
    readonly draftSigners?: SigningOptions["draftSigners"];
    readonly clock: Clock;
    readonly random: Random;
  },
): SigningOptions {
  const chains = paying?.chains ?? [];
  const { walletProgram = defaultWalletProgram } = paying ?? {};
  const process = { clock, random, folder, walletProgram };
  return {
    folder,
    copyFolder,
    approvalKeys: paying?.approvalKeys ?? [],
    limitsWhenAbsent: paying?.limitsWhenAbsent ?? null,
    findAsset: (chain, currency) => {
      const assets = chains.find((signed) => signed.chain === chain)?.assets ?? {};
      return Object.hasOwn(assets, currency) ? (assets[currency] ?? null) : null;
    },
    draftSigners: draftSigners ?? ((coldOf) => createDraftSigners(chains, coldOf, process)),
  };
}

async function unlock(settings: SignerSettings, random: Random): Promise<Uint8Array> {
  const path = join(settings.folder, "keystore.json");
  const passphrase = readPassphrase(settings.passphrase);
  try {
    const cost = settings.createWithCost;
    if (cost !== null && !existsSync(path)) {
      // A journal without its keystore: the key was lost, and a new one would silently replace it.
      const journals = ["issued.journal", "spends.journal"];
      if (journals.some((name) => existsSync(join(settings.folder, name)))) {
        throw new Error(`${path} is missing, but addresses were issued from it: restore it`);
      }
      await createKeystore({ path, passphrase, random, cost });
    }
    return await openKeystore(path, passphrase);
  } finally {
    passphrase.fill(0);
  }
}
