// Builds `client/` into client/dist. TypeScript rewrites import paths to `.js` in code but keeps `./x.ts` in declarations, which
// not every integrator's compiler resolves; this script rewrites them too.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const published = join(root, "client/dist");
// A concurrent reader or builder of client/dist sees all old files or all new ones.
const aside = (name) => join(root, "node_modules", `.sluice-client-${name}-${process.pid}`);
const target = process.argv[2] === undefined ? aside("new") : resolve(process.argv[2]);

rmSync(target, { recursive: true, force: true });
const compiler = join(root, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "-p", join(root, "client"), "--outDir", target], {
  stdio: "inherit",
});
for (const name of readdirSync(target)) {
  if (!name.endsWith(".d.ts")) continue;
  const file = join(target, name);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(from "\.\/[^"]+)\.ts"/g, '$1.js"'));
}
if (process.argv[2] === undefined) publish();

function publish() {
  const old = aside("old");
  for (;;) {
    if (existsSync(published)) move(published, old);
    rmSync(old, { recursive: true, force: true });
    if (move(target, published)) return;
  }
}

/** False when another build was faster: the source is gone, or the target exists. */
function move(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)) return false;
    throw error;
  }
}
