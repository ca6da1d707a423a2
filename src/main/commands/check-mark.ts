import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { NotActive } from "../../signer/signer-connection.ts";
import { compareMarks } from "../../treasury/recovery/compare-marks.ts";
import { isRestored, verdictMessages } from "../../treasury/recovery/decide-mark.ts";
import { signerAddresses } from "../build/signer-address.ts";
import type { Config } from "../config/config.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { noCopyNote } from "./check-paying.ts";
import { type CheckedRoles, runsHere } from "./check-role.ts";
import { examine, type Finding, type Found } from "./finding.ts";

/** Compares the marks of database and signer, as workers do before any money moves. Changes nothing. */
export function checkMark(config: Config, clock: Clock, roles: CheckedRoles): Promise<Finding> {
  return examine("marks of database and signer", clock, () =>
    withCheckedDatabase(config, clock, (db) => describeMarks(config, db, clock, roles)),
  );
}

async function describeMarks(
  config: Config,
  db: Executor,
  clock: Clock,
  roles: CheckedRoles,
): Promise<Found> {
  const signer = createSignerClient({ ...signerAddresses(config.signer), clock, timeoutMs: 5_000 });
  try {
    const { verdict, row } = await compareMarks(db, signer);
    if (isRestored(verdict)) throw new Error(verdictMessages[verdict]);
    if (row.isRecovering) throw new Error("a worker is still adopting what the signer signed");
    const isCopied = config.signer.copy_folder !== undefined || config.payouts === undefined;
    const notes = isCopied || !runsHere(roles, "signer") ? [] : [noCopyNote];
    return { detail: verdictMessages[verdict], notes };
  } catch (error) {
    if (error instanceof NotActive)
      return { detail: "not compared: this signer is not the active one of its pair" };
    if (!(error instanceof Unavailable)) throw error;
    return { detail: "not compared: the signer is not running" };
  } finally {
    signer.close();
  }
}
