import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** What a release from before this test lacks; the newer files work with its code. */
const preparation = ["test/chaos/prepare-site.ts", "test/upgrade/prepare-process.ts"];

/** Whether the repository's history contains the commit; a shallow clone may lack it. */
export async function hasRelease(commit: string): Promise<boolean> {
  return run("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  );
}

/** Extracts the release of a commit into `folder`, with its packages and without its web pages. */
export async function checkOutRelease(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await run("git", ["archive", "--output", archive, commit], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder]);
  for (const path of preparation)
    await cp(join(root, path), join(folder, path), { force: false, recursive: true });
  if (await hasSamePackages(folder)) {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  } else {
    await run(process.execPath, ["scripts/setup.js"], { cwd: folder });
  }
  // Nothing here opens them.
  await mkdir(join(folder, "web/dist"), { recursive: true });
}

async function hasSamePackages(folder: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [folder, root].map((each) => readFile(join(each, "package-lock.json"), "utf8")),
  );
  return theirs === ours;
}
