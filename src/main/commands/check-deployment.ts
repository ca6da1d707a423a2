import type { Config } from "../config/config.ts";
import type { Environment, Setting } from "../config/environment.ts";
import { ConfigFault, readConfigWithSettings } from "../config/read-config.ts";
import { checkAccounts } from "./check-accounts.ts";
import { checkChains } from "./check-chains.ts";
import {
  checkAudit,
  checkBooks,
  checkDatabase,
  checkReplica,
  checkTokenFees,
} from "./check-database.ts";
import { checkFunds } from "./check-funds.ts";
import { checkAuditLog, checkDataKeys, checkSigners } from "./check-keys.ts";
import { checkMark } from "./check-mark.ts";
import { checkPaying } from "./check-paying.ts";
import { type CheckedRoles, runsHere } from "./check-role.ts";
import { checkSealed } from "./check-sealed.ts";
import { checkSources } from "./check-sources.ts";
import type { CommandContext } from "./command-context.ts";
import { createRedactor, type Finding } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

/**
 * `sluice check`: reads a configuration and tests everything in it: database, data keys and what they sealed, books, signer,
 * every node separately, rate sources, screening. Prints one line each, never a secret. Resolves with whether everything works.
 * With `roles` it tests what a host needs that runs only these processes. Changes nothing.
 */
export async function checkDeployment(
  configFile: string,
  context: CommandContext,
  {
    roles = null,
    environment = process.env,
  }: { readonly roles?: CheckedRoles; readonly environment?: Environment } = {},
): Promise<boolean> {
  const { print } = context;
  let config: Config;
  let settings: readonly Setting[];
  try {
    ({ config, settings } = await readConfigWithSettings(configFile, environment));
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    for (const line of error.message.split("\n")) print(`WRONG  ${line}`);
    return false;
  }
  print(`ok     configuration ${configFile}`);
  for (const note of await permissionNotes(configFile)) print(`       note: ${note}`);
  for (const line of await linesOfSettings(settings)) print(line);
  const redact = createRedactor(config);
  let isWell = true;
  for (const found of await startChecks(config, context, roles)) {
    const finding = await found;
    for (const line of linesOf(finding, redact)) print(line);
    isWell &&= finding.isWell;
  }
  const checks = roles === null ? "checks" : `checks of ${[...roles].join(", ")}`;
  print(
    isWell
      ? `All ${checks} passed.`
      : `Some ${checks} failed: see the lines that start with WRONG.`,
  );
  return isWell;
}

/** In the order of their lines. A signer's host needs neither database nor nodes, and an API's host neither signer nor nodes. */
async function startChecks(
  config: Config,
  context: CommandContext,
  roles: CheckedRoles,
): Promise<readonly Promise<Finding>[]> {
  const { clock } = context;
  const isWorker = runsHere(roles, "worker");
  const usesDatabase = isWorker || runsHere(roles, "api");
  const storage = usesDatabase
    ? [checkDatabase(config, clock), ...checkDataKeys(config, clock)]
    : [];
  const stored = () => [
    checkSealed(config, context),
    checkBooks(config, clock),
    checkAudit(config, clock),
    ...checkReplica(config, clock),
    ...checkTokenFees(config, clock),
    ...(isWorker
      ? [
          ...checkAccounts(config, context),
          ...checkFunds(config, context),
          checkMark(config, clock, roles),
        ]
      : []),
  ];
  return [
    ...storage,
    ...(usesDatabase ? await whereWell(storage, stored) : []),
    ...checkSigners(config, clock, roles),
    ...(runsHere(roles, "signer") ? checkAuditLog(config, clock) : []),
    ...checkPaying(config, clock, roles),
    ...(isWorker ? [...checkChains(config, context), ...checkSources(config, clock)] : []),
  ];
}

/** One line for each member that a variable sets, with a note when its file can be read by others. Shows no values. */
async function linesOfSettings(settings: readonly Setting[]): Promise<readonly string[]> {
  const lines = settings.map(async ({ name, path, file }) => {
    const member = `ok     ${name}: sets ${path.join(".")}`;
    if (file === null) return [member];
    const notes = (await permissionNotes(file)).map((note) => `       note: ${note}`);
    return [`${member} from ${file}`, ...notes];
  });
  return (await Promise.all(lines)).flat();
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
