import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { backUpDeployment, restoreDeployment } from "./backup-deployment.ts";

/* Backups of a signer's folder as files; `npm run drill` restores real ones together with a database. */

let folder = "";
let configFile = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-backup-"));
  configFile = join(folder, "sluice.json");
  const config = {
    base_url: "https://pay.example.com",
    database: { url: "postgres://localhost/sluice" },
    keys: { data_key_files: [at("data.key")] },
    signer: {
      folder: at("signer"),
      copy_folder: at("copies"),
      passphrase_file: at("passphrase"),
    },
    chains: {},
  };
  await writeFile(configFile, JSON.stringify(config));
  await mkdir(at("signer/tls"), { recursive: true });
  await mkdir(at("copies"));
  const files = {
    "keystore.json": "{}",
    "audit.log": "first\nline 1\n",
    "spends.journal": "first\nline 1\nline 2\n",
    "database.mark": "mark",
    "tls/clients.json": "[]",
    lock: "",
    "lock.pid": "1",
    "database.mark.7b5f.new": "half a mark",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(at(`signer/${name}`), text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string): string => join(folder, path);
const clock = manualClock();
const printed: string[] = [];
const context = { clock, print: (line: string) => printed.push(line) };

async function backUp(command: string | null = null): Promise<string> {
  clock.advance(1);
  const before: readonly string[] = await readdir(at("backups")).catch(() => []);
  await backUpDeployment(configFile, at("backups"), command, context);
  const made = (await readdir(at("backups"))).filter((name) => !before.includes(name));
  expect(made).toHaveLength(1);
  return join(at("backups"), made[0] ?? "");
}

const restore = (backup: string, command: string | null = null): Promise<void> =>
  restoreDeployment(configFile, backup, command, context);

async function loseFolder(): Promise<void> {
  await rm(at("signer"), { recursive: true });
}

const longJournal = Buffer.alloc(16_000_000, `${"x".repeat(999)}\n`);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Whether buffers take no more than `bytes` while `work` runs, without those that nothing needs any more. */
async function staysWithin(bytes: number, work: () => Promise<void>): Promise<boolean> {
  const held = (): number => process.memoryUsage().arrayBuffers;
  collectGarbage();
  const before = held();
  const ended = new AbortController();
  let isWithin = true;
  const worked = work().finally(() => {
    ended.abort();
  });
  while (!ended.signal.aborted && isWithin) {
    if (held() - before > bytes) {
      // The first one frees buffers in the background; the second one waits for it.
      collectGarbage();
      collectGarbage();
      isWithin = held() - before <= bytes;
    }
    await setImmediate();
  }
  await worked;
  return isWithin;
}

describe("a backup of database and signer", () => {
  it("runs the database's command first and has every file but those of the running process", async () => {
    const seen = at("seen");
    const backup = await backUp(`ls "${at("backups")}" > "${seen}" 2> /dev/null || true`);
    expect(await readFile(seen, "utf8")).toBe("");
    const names = await readdir(backup, { recursive: true });
    expect(names.sort()).toEqual(
      [
        ...["audit.log", "database.mark", "keystore.json", "manifest.json", "spends.journal"],
        ...["tls", "tls/clients.json"],
      ].sort(),
    );
  });

  it("leaves out the line that is being written", async () => {
    await appendFile(at("signer/spends.journal"), "half a li");
    const backup = await backUp();
    expect(await readFile(join(backup, "spends.journal"), "utf8")).toBe("first\nline 1\nline 2\n");
  });

  it("leaves it out however long the lines are", async () => {
    const long = "x".repeat(200_000);
    await writeFile(at("signer/spends.journal"), `first\n${long}\n${long}\n${long}`);
    const backup = await backUp();
    expect(await readFile(join(backup, "spends.journal"), "utf8")).toBe(
      `first\n${long}\n${long}\n`,
    );
    expect(printed.at(-1)).toContain("spends.journal 2 lines, issued.journal 0 lines");
    await writeFile(at("signer/spends.journal"), long);
    expect(await readFile(join(await backUp(), "spends.journal"), "utf8")).toBe("");
  });

  it("holds no whole journal in memory", async () => {
    await writeFile(at("signer/spends.journal"), longJournal);
    let backup = "";
    const backingUp = async (): Promise<void> => {
      backup = await backUp();
    };
    expect(await staysWithin(6_000_000, backingUp)).toBe(true);
    expect(longJournal.equals(await readFile(join(backup, "spends.journal")))).toBe(true);
  });

  it("copies nothing if the database's command fails", async () => {
    await expect(backUp("exit 3")).rejects.toThrow(
      "failed (exit status 3), so nothing of the signer",
    );
    expect(await readdir(at("backups")).catch(() => [])).toEqual([]);
  });
});

describe("a restore", () => {
  it("writes back what was backed up, after the database", async () => {
    const backup = await backUp();
    await loseFolder();
    const marker = at("database-restored");
    await restore(backup, `test ! -e "${at("signer")}" && touch "${marker}"`);
    expect(await readFile(marker, "utf8")).toBe("");
    expect(await readFile(at("signer/tls/clients.json"), "utf8")).toBe("[]");
    expect(await readFile(at("signer/database.mark"), "utf8")).toBe("mark");
    expect(await readdir(at("signer"))).not.toContain("manifest.json");
  });

  it("takes the journal of the copy folder if it continues the backup's", async () => {
    const backup = await backUp();
    await loseFolder();
    await writeFile(at("copies/spends.journal"), "first\nline 1\nline 2\nline 3\n");
    await restore(backup);
    expect(await readFile(at("signer/spends.journal"), "utf8")).toContain("line 3\n");
    expect(printed.join("\n")).toContain(
      "spends.journal 3 lines, 1 of them from the copy folder only",
    );
  });

  it("holds no whole journal in memory", async () => {
    await writeFile(at("signer/spends.journal"), longJournal);
    const backup = await backUp();
    await loseFolder();
    await writeFile(at("copies/spends.journal"), longJournal.subarray(0, 15_000_000));
    expect(await staysWithin(6_000_000, () => restore(backup))).toBe(true);
    expect(longJournal.equals(await readFile(at("signer/spends.journal")))).toBe(true);
    expect(printed.at(-2)).toContain("spends.journal 15999 lines, 0 of them");
  });

  it.each(["half a li", `${"\0".repeat(5)}ine 4\n`])(
    "leaves out the copy's last line if it was never finished: %j",
    async (torn) => {
      const backup = await backUp();
      await loseFolder();
      const finished = "first\nline 1\nline 2\nline 3\n";
      await writeFile(at("copies/spends.journal"), `${finished}${torn}`);
      await writeFile(at("copies/issued.journal"), "fir");
      await restore(backup);
      expect(await readFile(at("signer/spends.journal"), "utf8")).toBe(finished);
      expect(await readdir(at("signer"))).not.toContain("issued.journal");
    },
  );

  it("changes nothing if the copy belongs to another signer, a file is altered or missing, or the folder is in use", async () => {
    const backup = await backUp();
    await expect(restore(backup)).rejects.toThrow("is not empty (audit.log, database.mark");
    await loseFolder();
    const marker = at("database-restored");
    const refused = async (message: string): Promise<void> => {
      await expect(restore(backup, `touch "${marker}"`)).rejects.toThrow(message);
      await expect(readdir(at("signer"))).rejects.toThrow("ENOENT");
      await expect(readFile(marker)).rejects.toThrow("ENOENT");
    };
    await writeFile(at("copies/spends.journal"), "first\nanother line\n");
    await refused("does not continue spends.journal of the backup");
    await rm(at("copies/spends.journal"));
    await writeFile(join(backup, "database.mark"), "murk");
    await refused("is damaged: database.mark differs from manifest.json");
    await rm(join(backup, "database.mark"));
    await refused("is incomplete: database.mark is missing");
    await expect(restore(at("backups"))).rejects.toThrow("name the folder of one backup");
    await expect(restore(backup, "exit 1")).rejects.toThrow("is incomplete");
  });

  it("says so if the backup is altered while the database is restored", async () => {
    const backup = await backUp();
    await loseFolder();
    await expect(restore(backup, `echo murk > "${join(backup, "database.mark")}"`)).rejects.toThrow(
      "database.mark was altered during the restore: remove",
    );
  });

  it("writes nothing of the signer if the database's command fails", async () => {
    const backup = await backUp();
    await loseFolder();
    await expect(restore(backup, "exit 4")).rejects.toThrow(
      "so nothing of the signer was restored",
    );
    await expect(readdir(at("signer"))).rejects.toThrow("ENOENT");
  });
});
