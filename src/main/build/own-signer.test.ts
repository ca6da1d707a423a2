/** On a machine whose configuration leaves the signer to another one, whatever works on its folder says so and creates nothing. */
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { backUpDeployment, restoreDeployment } from "../commands/backup-deployment.ts";
import { checkHealth } from "../commands/check-health.ts";
import { initializeKeys } from "../commands/initialize-keys.ts";
import { printWalletWords } from "../commands/print-wallet-words.ts";
import { createCertificates } from "../commands/signer-certificates.ts";
import { readConfig } from "../config/read-config.ts";
import { runSignerProcess } from "../processes/run-signer-process.ts";
import { findOwnSigner, ownSigner } from "./own-signer.ts";
import { signerAddresses } from "./signer-address.ts";

const terminal = openTerminal();
const remote = {
  host: "signer.internal",
  certificate_file: "worker.crt",
  key_file: "worker.key",
  authority_file: "ca.crt",
};
let files: DeploymentFiles;
beforeEach(async () => {
  files = await writeDeployment("postgres://127.0.0.1:1/none", { signer: { remote } });
});
afterEach(() => files.remove());

const refusal =
  "signer.folder and signer.passphrase_file are not set, and signer.remote leads to another machine: run this on the signer's machine";
const commands: readonly (readonly [string, (file: string) => Promise<unknown>])[] = [
  ["init", (file) => initializeKeys(file, { showWords: false, wordsFile: null }, terminal)],
  ["backup", (file) => backUpDeployment(file, `${file}.backup`, null, terminal)],
  ["restore", (file) => restoreDeployment(file, `${file}.backup`, null, terminal)],
  ["signer", (file) => runSignerProcess(file)],
  ["signer words", (file) => printWalletWords(file, "BTC", terminal)],
  [
    "signer certificates create",
    (file) => createCertificates(file, { hosts: ["a"], days: 1, isRenewal: false }, terminal),
  ],
  [
    "health signer",
    (file) => checkHealth(file, "signer", { port: null, isReady: false }, terminal),
  ],
];

describe("a machine without a signer", () => {
  it.each(commands)("refuses %s and creates nothing", async (_name, run) => {
    const before = await readdir(files.folder);
    await expect(run(files.configFile)).rejects.toThrow(refusal);
    expect(await readdir(files.folder)).toEqual(before);
    expect(terminal.lines()).toEqual([]);
  });

  it("reaches the other machine's signer", async () => {
    const { signer } = await readConfig(files.configFile);
    expect(findOwnSigner(signer)).toBeNull();
    expect(signerAddresses(signer).address).toMatchObject({
      kind: "remote",
      host: "signer.internal",
      port: 7643,
    });
  });

  it("names the one member that is missing", async () => {
    const { signer } = await readConfig(files.configFile);
    expect(() => ownSigner({ ...signer, folder: "/var/lib/sluice/signer" })).toThrow(
      "signer.passphrase_file is not set, and signer.remote leads to another machine",
    );
  });
});
