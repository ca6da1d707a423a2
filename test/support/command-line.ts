import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../../src/main/commands/command-context.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { testDataKey } from "./test-accounts.ts";

/** A terminal that records what commands print. */
export type Terminal = CommandContext & {
  /** The lines printed since the last call. */
  readonly lines: () => readonly string[];
};

export function openTerminal(): Terminal {
  const printed: string[] = [];
  return {
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    print: (line) => printed.push(line),
    lines: () => printed.splice(0),
  };
}

export type DeploymentFiles = {
  readonly folder: string;
  readonly configFile: string;
  readonly dataKeyFile: string;
  readonly passphraseFile: string;
  readonly signerFolder: string;
  readonly remove: () => Promise<void>;
};

/**
 * A folder with a deployment's configuration (JSON), the accounts' test data key and a passphrase. `more` overrides members of
 * the configuration.
 */
export async function writeDeployment(
  databaseUrl: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<DeploymentFiles> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-deployment-"));
  const files = {
    folder,
    configFile: join(folder, "sluice.json"),
    dataKeyFile: join(folder, "data.key"),
    passphraseFile: join(folder, "passphrase"),
    signerFolder: join(folder, "signer"),
  };
  const config = {
    base_url: "http://pay.example",
    database: { url: databaseUrl },
    keys: { data_key_files: [files.dataKeyFile] },
    signer: { folder: files.signerFolder, passphrase_file: files.passphraseFile },
    chains: { BTC: { network: "regtest", nodes: ["http://user:hidden@127.0.0.1:9"] } },
    ...more,
  };
  await writeFile(files.configFile, JSON.stringify(config), { mode: 0o600 });
  await writeFile(files.dataKeyFile, Buffer.from(testDataKey).toString("hex"), { mode: 0o600 });
  await writeFile(files.passphraseFile, "correct horse\n", { mode: 0o600 });
  return { ...files, remove: () => rm(folder, { recursive: true, force: true }) };
}
