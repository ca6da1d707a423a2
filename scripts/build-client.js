// Builds what `client/` publishes into client/dist. TypeScript writes `.js` into what runs but leaves `./x.ts` in the declarations,
// which not every compiler of an integrator resolves: they are rewritten too.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const target = resolve(process.argv[2] ?? join(root, "client/dist"));

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
