// Builds the browser programs: `web/page` and `web/dashboard` become `web/dist/page` and `web/dist/dashboard`, each file with its
// brotli and gzip forms. Prints nothing when both are up to date. Plain JavaScript for Node 20 and newer without dependencies,
// because scripts/setup.js runs it right after the install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "web/dist");
/** The file that records which sources a folder of `dist` was built from. */
const sourcesFile = "sources.sha256";
const lockPatienceMs = 180_000;

const everything = ["web/package.json", "package-lock.json", "scripts/build-web.js"];
const programs = [
  {
    name: "page",
    title: "the payment page",
    configs: ["vite.config.ts", "link.config.ts"],
    sources: [
      "web/page",
      "src/deposits/checkout/checkout-state.ts",
      "src/deposits/links/link-page-state.ts",
      ...everything,
    ],
  },
  {
    name: "dashboard",
    title: "the dashboard",
    configs: ["vite.config.ts"],
    sources: [
      "web/dashboard",
      "client/src",
      "src/currencies/chains.ts",
      "src/payouts/travel-rule/country-codes.ts",
      ...everything,
    ],
  },
];

/** Builds what is missing or outdated. Throws with the build's output when that fails. */
export function buildWeb() {
  if (staleOnes().length === 0) return;
  const unlock = lock();
  try {
    // Another process may have built it while this one waited.
    const stale = staleOnes();
    if (stale.length === 0) return;
    console.log(`Building ${stale.map(({ title }) => title).join(" and ")} ...`);
    const failures = stale.map(build).filter((failure) => failure !== null);
    if (failures.length > 0) throw new Error(failures.join("\n"));
  } finally {
    unlock();
  }
}

function staleOnes() {
  return programs
    .filter(({ name }) => existsSync(join(root, "web", name, "index.html")))
    .map((program) => ({ ...program, digest: digestOf(program.sources) }))
    .filter(({ name, digest }) => {
      const file = join(dist, name, sourcesFile);
      return !existsSync(file) || readFileSync(file, "utf8") !== digest;
    });
}

function digestOf(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => filesOf(join(root, source)))) {
    // Tests are not part of the build.
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
    .map(({ name }) => join(path, name))
    .sort()
    .flatMap(filesOf);
}

/**
 * Builds into a separate folder first, so that readers of `dist` see the old files or the new ones, never half of them. Returns
 * why it failed, or null.
 */
function build({ name, digest, configs }) {
  const fresh = join(dist, `.${name}-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  for (const config of configs) {
    const fault = runVite(name, config, fresh);
    if (fault === null) continue;
    rmSync(fresh, { recursive: true, force: true });
    return `web/${name} cannot be built: ${fault}`;
  }
  for (const file of filesOf(fresh)) compress(file);
  writeFileSync(join(fresh, sourcesFile), digest);
  const final = join(dist, name);
  const old = join(dist, `.old-${name}-${process.pid}`);
  if (existsSync(final)) renameSync(final, old);
  renameSync(fresh, final);
  rmSync(old, { recursive: true, force: true });
  return null;
}

/** Returns why the build failed, or null. */
function runVite(name, config, folder) {
  const linked = join(root, "node_modules/.bin/node");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const page = join(root, "web", name);
  const built = spawnSync(
    existsSync(linked) ? linked : process.execPath,
    [vite, "build", page, "--outDir", folder, "--config", join(page, config), "--logLevel", "warn"],
    { cwd: page, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } },
  );
  return built.status === 0 ? null : (built.error?.message ?? built.stderr);
}

function compress(file) {
  const bytes = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const forms = { br: brotliCompressSync(bytes, { params }), gz: gzipSync(bytes, { level: 9 }) };
  for (const [ending, compressed] of Object.entries(forms)) {
    if (compressed.length < bytes.length) writeFileSync(`${file}.${ending}`, compressed);
  }
}

/** One build at a time across processes; takes over a lock that was left behind. */
function lock() {
  mkdirSync(dist, { recursive: true });
  const path = join(dist, ".building");
  const startedAt = Date.now();
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isLeftBehind(path) || Date.now() - startedAt > lockPatienceMs)
      rmSync(path, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function isLeftBehind(path) {
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    buildWeb();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
