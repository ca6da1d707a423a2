import { spawn } from "node:child_process";
import { backUpFolder, journalNames } from "../../signer/backup-folder.ts";
import { planRestore } from "../../signer/restore-folder.ts";
import { ownSigner } from "../build/own-signer.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";

type BackupContext = Pick<CommandContext, "clock" | "print">;

/**
 * `sluice backup FOLDER`: runs the command that backs up the database, if there is one, and then copies the signer's folder, in
 * this order: a signer's folder older than the database would hide what was signed in between.
 */
export async function backUpDeployment(
  configFile: string,
  target: string,
  databaseCommand: string | null,
  { clock, print }: BackupContext,
): Promise<void> {
  const { signer } = await readConfig(configFile);
  const { folder } = ownSigner(signer);
  if (databaseCommand !== null) {
    await runCommand(databaseCommand, "nothing of the signer was copied");
    print("database  backed up");
  }
  const { path, manifest, lines } = await backUpFolder(folder, target, clock.now());
  const counts = journalNames.map((name) => `${name} ${lines.get(name) ?? 0} lines`);
  print(`signer    ${manifest.files.length} files in ${path}: ${counts.join(", ")}`);
}

/**
 * `sluice restore FOLDER`: verifies a backup of the signer's folder, runs the command that restores the database, if there is one,
 * and then writes the signer's folder. If anything is wrong before that, nothing is changed.
 */
export async function restoreDeployment(
  configFile: string,
  backup: string,
  databaseCommand: string | null,
  { print }: Pick<BackupContext, "print">,
): Promise<void> {
  const { signer } = await readConfig(configFile);
  const { folder } = ownSigner(signer);
  const plan = await planRestore(backup, folder, signer.copy_folder ?? null);
  if (databaseCommand !== null) {
    await runCommand(databaseCommand, "nothing of the signer was restored");
    print("database  restored");
  }
  await plan.write();
  print(`signer    the backup of ${plan.createdAt} is in ${folder}`);
  for (const { name, lines, linesOfCopy } of plan.journals)
    print(`          ${name} ${lines} lines, ${linesOfCopy} of them from the copy folder only`);
  print("Next: start the signer, run `sluice check`, then start one worker and read its log.");
}

/** Runs it in a shell, with this terminal. Rejects if it fails; `consequence` says what that means. */
function runCommand(command: string, consequence: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else {
        const reason = `the database's command failed (${signal ?? `exit status ${code}`})`;
        reject(new Error(`${reason}, so ${consequence}: ${command}`));
      }
    });
  });
}
