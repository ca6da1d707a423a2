import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Random } from "../../platform/kernel/random.ts";
import { createAtomically } from "../../platform/processes/write-atomically.ts";
import { readMarkFile } from "../../signer/journal/database-mark.ts";
import { verifyIssueJournal } from "../../signer/journal/issue-journal.ts";
import { verifySpendJournal } from "../../signer/journal/spend-journal.ts";
import { deriveKeys, type SignerKeys } from "../../signer/keys/derive-keys.ts";
import {
  createKeystore,
  defaultKeyDerivationCost,
  entropyOfWords,
  type KeyDerivationCost,
  openKeystore,
  wordsOfEntropy,
} from "../../signer/keys/keystore.ts";
import { readPassphrase } from "../../signer/keys/read-passphrase.ts";
import { createApprovalKeyFiles } from "../build/approval-keys.ts";
import { readDataKey } from "../build/foundation.ts";
import { ownSigner } from "../build/own-signer.ts";
import { signerKeys } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";

export type InitializeOptions = {
  /** Print the 24 words of a keystore that this call creates; they are never shown again. */
  readonly showWords: boolean;
  /** A file with the 24 words of a backup to restore; null: create a new keystore. */
  readonly wordsFile: string | null;
  /** Default: suitable for a passphrase chosen by a person. */
  readonly cost?: KeyDerivationCost;
};

/**
 * `sluice init`: creates the sealing data key, the approval key and the signer's keystore where they are missing, and explains
 * how to back them up. Never overwrites a file. Rejects when a file was lost, or when the passphrase file is missing or empty.
 * Words restore a keystore beside a journal only if their seed wrote that journal.
 */
export async function initializeKeys(
  configFile: string,
  options: InitializeOptions,
  context: CommandContext,
): Promise<void> {
  const config = await readConfig(configFile);
  const { folder, passphraseFile } = ownSigner(config.signer);
  const keystore = join(folder, "keystore.json");
  const journals = journalsIn(folder);
  const [hasKeystore, hasJournal] = [existsSync(keystore), journals.length > 0];
  const words = options.wordsFile === null ? null : await readFile(options.wordsFile, "utf8");
  assertDataKeysThere(config, hasKeystore || hasJournal);
  if (hasJournal && !hasKeystore) await assertWordsOf(journals, words, config);
  if (hasKeystore && (options.showWords || words !== null)) {
    throw new Error(
      `${keystore} already exists: its words were available only when it was created`,
    );
  }
  // Checked before anything is created, since the keystore needs it.
  if (!hasKeystore) assertPassphraseThere(passphraseFile);
  const passphrase = readPassphrase({ kind: "file", path: passphraseFile });
  try {
    await makeDataKey(config, context);
    for (const file of await createApprovalKeyFiles(config, context.random))
      context.print(`made   ${file}`);
    if (hasKeystore) {
      (await openKeystore(keystore, passphrase)).fill(0);
      context.print(`kept   ${keystore}`);
      return;
    }
    await makeKeystore(keystore, passphrase, { ...options, words }, context);
  } finally {
    passphrase.fill(0);
  }
}

/** The one file that a person writes before the first `init`. The passphrase of an existing keystore has to be found instead. */
function assertPassphraseThere(file: string): void {
  if (existsSync(file)) return;
  throw new Error(
    `the passphrase file ${file} does not exist: it holds the passphrase of the keystore. Write one, or create one with \`(umask 077; openssl rand -base64 32 > ${file})\`, and keep a copy of it elsewhere`,
  );
}

function assertDataKeysThere({ keys }: Config, wasSetUp: boolean): void {
  const [sealing, ...older] = keys.data_key_files;
  const lost = older.filter((file) => !existsSync(file));
  if (lost.length > 0) {
    throw new Error(
      `${lost.join(", ")} is missing: restore it, because it opens what was sealed before the newest data key`,
    );
  }
  if (wasSetUp && older.length === 0 && sealing !== undefined && !existsSync(sealing)) {
    throw new Error(
      `${sealing} is missing beside a keystore or its journal: restore it, because a new one cannot open existing secrets`,
    );
  }
}

type Journal = {
  readonly path: string;
  readonly verify: (path: string, keys: SignerKeys) => Promise<void>;
};

/** The signer's existing journals beside its keystore. */
function journalsIn(folder: string): readonly Journal[] {
  const journals: readonly Journal[] = [
    {
      path: join(folder, "issued.journal"),
      verify: (path, { journalKey }) => verifyIssueJournal(path, journalKey),
    },
    {
      path: join(folder, "spends.journal"),
      verify: (path, { spendJournalKey }) => verifySpendJournal(path, spendJournalKey),
    },
    {
      path: join(folder, "database.mark"),
      verify: async (path, { markKey }) => {
        await readMarkFile(path, markKey);
      },
    },
  ];
  return journals.filter(({ path }) => existsSync(path));
}

/** A journal requires the keystore that wrote it: any other would issue addresses whose keys nobody has. */
async function assertWordsOf(
  journals: readonly Journal[],
  words: string | null,
  config: Config,
): Promise<void> {
  if (words === null) {
    const paths = journals.map(({ path }) => path).join(" and ");
    throw new Error(
      `the keystore is missing, but ${paths} shows that it was used: restore it from a backup or with --words-file`,
    );
  }
  const { network, keyTrees } = signerKeys(config);
  const keys = deriveKeys(entropyOfWords(words), network, keyTrees);
  try {
    for (const { path, verify } of journals) await verify(path, keys);
  } finally {
    keys.journalKey.fill(0);
    keys.spendJournalKey.fill(0);
    keys.markKey.fill(0);
  }
}

async function makeDataKey(
  { keys }: Config,
  { random, print }: { readonly random: Random; readonly print: (line: string) => void },
): Promise<void> {
  for (const [index, file] of keys.data_key_files.entries()) {
    if (index > 0 || existsSync(file)) {
      await readDataKey(file);
      print(`kept   ${file}`);
      continue;
    }
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await createAtomically(file, `${Buffer.from(random.bytes(32)).toString("hex")}\n`);
    print(`made   ${file}`);
    print(
      "       Back it up separately from the database: without it no credential or webhook secret can be opened.",
    );
  }
}

async function makeKeystore(
  path: string,
  passphrase: Uint8Array,
  {
    showWords,
    words,
    cost = defaultKeyDerivationCost,
  }: InitializeOptions & { readonly words: string | null },
  { random, print }: CommandContext,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createKeystore({
    path,
    passphrase,
    random,
    cost,
    ...(words === null ? {} : { words }),
  });
  // Reopened to verify that it is readable before an address depends on it.
  const entropy = await openKeystore(path, passphrase);
  const shown = showWords ? wordsOfEntropy(entropy) : null;
  entropy.fill(0);
  print(`${words === null ? "made" : "restored"}   ${path}`);
  if (shown !== null) {
    print(
      "       Its 24 words, shown only once. Write them on paper; they alone restore every key:",
    );
    print(`       ${shown}`);
    return;
  }
  print("       Back up this file and its passphrase in two separate locations:");
  print("       both are needed to restore the keys. The 24 words, which restore them alone, are");
  print("       shown by --show-words, only when the keystore is created.");
}
