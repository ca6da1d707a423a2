import { connect } from "../../platform/db/connect.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { World } from "../../platform/kernel/world.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";
import { readMarkRow, readSequences } from "../../treasury/recovery/database-mark.store.ts";
import { decideMark, isRestored, verdictMessages } from "../../treasury/recovery/decide-mark.ts";
import type { Config } from "../config/config.ts";
import { examine, type Finding } from "./finding.ts";

/** Compares the marks of database and signer, as workers do before any money moves. Changes nothing. */
export function checkMark(config: Config, world: World): Promise<Finding> {
  return examine("marks of database and signer", world.clock, () => compareMarks(config, world));
}

async function compareMarks(
  config: Config,
  { clock }: World,
): Promise<{ readonly detail: string; readonly notes?: readonly string[] }> {
  const socketPath = signerSocketPath(config.signer.folder);
  const signer = createSignerClient({ socketPath, clock, timeoutMs: 5_000 });
  const db = connect({
    url: config.database.url,
    clock,
    logger: silentLogger,
    applicationName: "sluice check",
  });
  try {
    const known = await signer.readMark();
    const row = await readMarkRow(db);
    const verdict = decideMark(row, await readSequences(db), known);
    if (isRestored(verdict)) throw new Error(verdictMessages[verdict]);
    if (row.isRecovering) throw new Error("a worker is still adopting what the signer signed");
    const copied = config.signer.copy_folder !== undefined || config.payouts === undefined;
    const note =
      "signer.copy_folder is not set: a lost disk takes the newest signatures with it, and a restore has to ask the chains";
    return { detail: verdictMessages[verdict], notes: copied ? [] : [note] };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { detail: "not compared: the signer is not running" };
  } finally {
    signer.close();
    await db.close();
  }
}
