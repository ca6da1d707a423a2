import type { Config } from "../config/config.ts";
import { ConfigFault, readConfig } from "../config/read-config.ts";
import { checkChains } from "./check-chains.ts";
import { checkAudit, checkBooks, checkDatabase, checkTokenFees } from "./check-database.ts";
import { checkAuditLog, checkDataKeys, checkSigner } from "./check-keys.ts";
import { checkMark } from "./check-mark.ts";
import { checkSealed } from "./check-sealed.ts";
import { checkSources } from "./check-sources.ts";
import type { CommandContext } from "./command-context.ts";
import { createRedactor, type Finding } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

/**
 * `sluice check`: reads a configuration and tests everything in it: database, data keys and what they sealed, books, signer,
 * every node separately, rate sources, screening. Prints one line each, never a secret. Resolves with whether everything works.
 * Changes nothing.
 */
export async function checkDeployment(
  configFile: string,
  context: CommandContext,
): Promise<boolean> {
  const { print, clock } = context;
  let config: Config;
  try {
    config = await readConfig(configFile);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    for (const line of error.message.split("\n")) print(`WRONG  ${line}`);
    return false;
  }
  print(`ok     configuration ${configFile}`);
  for (const note of await permissionNotes(configFile)) print(`       note: ${note}`);
  const redact = createRedactor(config);
  const storage = [checkDatabase(config, clock), ...checkDataKeys(config, clock)];
  const looking = [
    ...storage,
    ...(await whereWell(storage, () => [
      checkSealed(config, context),
      checkBooks(config, clock),
      checkAudit(config, clock),
      ...checkTokenFees(config, clock),
      checkMark(config, clock),
    ])),
    checkSigner(config, clock),
    ...checkAuditLog(config, clock),
    ...checkChains(config, context),
    ...checkSources(config, clock),
  ];
  let isWell = true;
  for (const found of looking) {
    const finding = await found;
    for (const line of linesOf(finding, redact)) print(line);
    isWell &&= finding.isWell;
  }
  print(isWell ? "All checks passed." : "Some checks failed: see the lines that start with WRONG.");
  return isWell;
}

/** Without a database or a data key the other checks cannot run. */
async function whereWell(
  needed: readonly Promise<Finding>[],
  startChecks: () => readonly Promise<Finding>[],
): Promise<readonly Promise<Finding>[]> {
  const found = await Promise.all(needed);
  return found.every(({ isWell }) => isWell) ? startChecks() : [];
}

function linesOf(
  { item, isWell, detail, notes }: Finding,
  redact: (text: string) => string,
): readonly string[] {
  const mark = isWell ? "ok    " : "WRONG ";
  return [
    `${mark} ${item}: ${redact(detail)}`,
    ...notes.map((note) => `       note: ${redact(note)}`),
  ];
}
