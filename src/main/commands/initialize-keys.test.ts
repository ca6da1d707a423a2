import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { afterEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { openIssueJournal } from "../../signer/journal/issue-journal.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { openKeystore, wordsOfEntropy } from "../../signer/keys/keystore.ts";
import { keyTrees } from "../families/families.ts";
import { type InitializeOptions, initializeKeys } from "./initialize-keys.ts";

const terminal = openTerminal();
const open: DeploymentFiles[] = [];
afterEach(async () => {
  for (const files of open.splice(0)) await files.remove();
});

async function deployment(more: Readonly<Record<string, unknown>> = {}): Promise<DeploymentFiles> {
  const files = await writeDeployment("postgres://nobody@127.0.0.1:1/nothing", more);
  await rm(files.dataKeyFile);
  open.push(files);
  return files;
}

const init = (files: DeploymentFiles, options: Partial<InitializeOptions> = {}) =>
  initializeKeys(
    files.configFile,
    {
      showWords: false,
      wordsFile: null,
      cost: { memoryKib: 64, passes: 1, threads: 1 },
      ...options,
    },
    terminal,
  );
const keystoreOf = (files: DeploymentFiles) => join(files.signerFolder, "keystore.json");
const journalOf = (files: DeploymentFiles) => join(files.signerFolder, "issued.journal");
const wordsOf = async (files: DeploymentFiles) =>
  wordsOfEntropy(await openKeystore(keystoreOf(files), Buffer.from("correct horse")));

describe("initializeKeys", () => {
  it("creates data key and keystore readable by this user only, and a second call leaves them unchanged", async () => {
    const files = await deployment();
    await init(files);
    const created = terminal.lines();
    expect(created[0]).toBe(`made   ${files.dataKeyFile}`);
    expect(created.join("\n")).toContain(`made   ${keystoreOf(files)}`);
    expect(created.join("\n")).not.toContain(await wordsOf(files));
    const contents = async () =>
      await Promise.all(
        [files.dataKeyFile, keystoreOf(files)].map((file) => readFile(file, "utf8")),
      );
    const before = await contents();
    expect(before[0]).toMatch(/^[0-9a-f]{64}\n$/);
    for (const file of [files.dataKeyFile, keystoreOf(files)])
      expect((await stat(file)).mode & 0o777).toBe(0o600);

    await init(files);
    expect(terminal.lines()).toEqual([
      `kept   ${files.dataKeyFile}`,
      `kept   ${keystoreOf(files)}`,
    ]);
    expect(await contents()).toEqual(before);
  });

  it("prints the words when asked as it creates the keystore, and never later", async () => {
    const files = await deployment();
    await init(files, { showWords: true });
    expect(terminal.lines().at(-1)!.trim()).toBe(await wordsOf(files));
    await expect(init(files, { showWords: true })).rejects.toThrow("already exists");
    expect(terminal.lines()).toEqual([]);
  });

  /**
   * The same words with another last one. Of the two words that carry the same bits of the seed, at most one has a valid
   * checksum.
   */
  function withWrongChecksum(words: string): string {
    const changed = ["zebra", "zoo"].map((last) => words.replace(/\w+$/, last));
    return changed.find((text) => !validateMnemonic(text, wordlist)) ?? "";
  }

  it("restores a keystore from its words, and creates none from invalid words", async () => {
    const first = await deployment();
    await init(first);
    const words = await wordsOf(first);
    const second = await deployment();
    const wordsFile = join(second.folder, "words");
    await writeFile(wordsFile, withWrongChecksum(words));
    await expect(init(second, { wordsFile })).rejects.toThrow();
    expect(existsSync(keystoreOf(second))).toBe(false);
    await writeFile(wordsFile, `${words.toUpperCase()}\n`);
    await init(second, { wordsFile });
    expect(await wordsOf(second)).toBe(words);
    expect(terminal.lines().join()).toContain("restored");
  });

  /** The signer of the same seed has issued addresses, and its keystore is lost. */
  async function losingKeystore(files: DeploymentFiles): Promise<string> {
    const { journalKey } = deriveKeys(
      await openKeystore(keystoreOf(files), Buffer.from("correct horse")),
      "test",
      keyTrees(),
    );
    const journal = await openIssueJournal(journalOf(files), journalKey);
    await journal.record({ keyspace: "BTC", addressType: "bech32", first: 0, last: 63 });
    await journal.close();
    await rm(keystoreOf(files));
    return await readFile(journalOf(files), "utf8");
  }

  it("restores a keystore beside a journal only from the seed that wrote it, and keeps the journal", async () => {
    const files = await deployment();
    await init(files);
    const words = await wordsOf(files);
    const journal = await losingKeystore(files);
    const wordsFile = join(files.folder, "words");

    const other = await deployment();
    await init(other);
    await writeFile(wordsFile, await wordsOf(other));
    await expect(init(files, { wordsFile })).rejects.toThrow("belongs to another keystore");
    await writeFile(journalOf(files), journal.replace('"last":63', '"last":64'));
    await writeFile(wordsFile, words);
    await expect(init(files, { wordsFile })).rejects.toThrow("line 2 does not follow");
    await writeFile(journalOf(files), journal);
    await expect(init(files)).rejects.toThrow("shows that it was used");
    expect(existsSync(keystoreOf(files))).toBe(false);

    await init(files, { wordsFile });
    expect(await wordsOf(files)).toBe(words);
    expect(await readFile(journalOf(files), "utf8")).toBe(journal);
  });

  it("does not replace a data key that is missing beside a journal", async () => {
    const files = await deployment();
    await init(files);
    const wordsFile = join(files.folder, "words");
    await writeFile(wordsFile, await wordsOf(files));
    await losingKeystore(files);
    await rm(files.dataKeyFile);
    await expect(init(files, { wordsFile })).rejects.toThrow(
      "restore it, because a new one cannot open",
    );
    expect(existsSync(files.dataKeyFile)).toBe(false);
  });

  it("does not replace lost files", async () => {
    const files = await deployment();
    await init(files);
    await rm(files.dataKeyFile);
    await expect(init(files)).rejects.toThrow("restore it, because a new one cannot open");

    const other = await deployment();
    await init(other);
    await writeFile(journalOf(other), "");
    await rm(keystoreOf(other));
    await expect(init(other)).rejects.toThrow("shows that it was used");

    const rotated = await deployment({
      keys: { data_key_files: [files.dataKeyFile, join(other.folder, "older.key")] },
    });
    await expect(init(rotated)).rejects.toThrow("older.key is missing: restore it");
    expect(existsSync(files.dataKeyFile)).toBe(false);
    expect(existsSync(keystoreOf(rotated))).toBe(false);
  });

  it("creates a new data key beside an older one", async () => {
    const older = await deployment();
    await init(older);
    const files = await deployment();
    const newer = join(files.folder, "newer.key");
    const text = await readFile(files.configFile, "utf8");
    await writeFile(
      files.configFile,
      text.replace(
        JSON.stringify(files.dataKeyFile),
        JSON.stringify([newer, older.dataKeyFile]).slice(1, -1),
      ),
    );
    await init(files);
    await rm(newer);
    await init(files);
    expect(terminal.lines().join("\n")).toContain(`made   ${newer}`);
  });

  it("creates nothing without a passphrase, and says how to create one", async () => {
    const files = await deployment();
    const file = files.passphraseFile;
    await rm(file);
    await expect(init(files)).rejects.toThrow(
      `the passphrase file ${file} does not exist: it holds the passphrase of the keystore. Write one, or create one with \`(umask 077; openssl rand -base64 32 > ${file})\``,
    );
    await writeFile(file, "\n");
    await expect(init(files)).rejects.toThrow(`the passphrase file ${file} is empty`);
    expect([files.dataKeyFile, keystoreOf(files)].map((file) => existsSync(file))).toEqual([
      false,
      false,
    ]);
    expect(terminal.lines()).toEqual([]);
  });

  it("does not propose a new passphrase for an existing keystore", async () => {
    const files = await deployment();
    await init(files);
    await rm(files.passphraseFile);
    await expect(init(files)).rejects.toThrow(
      /^the passphrase file .* does not exist: it holds the passphrase of the keystore$/,
    );
  });
});
