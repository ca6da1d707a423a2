import { readFile } from "node:fs/promises";
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser";
import { getStaticTOMLValue, parseTOML, ParseError as TomlError } from "toml-eslint-parser";
import { isBuilt } from "../../currencies/chain-record.ts";
import { findChain } from "../../currencies/chains.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { familyOf } from "../families/families.ts";
import { rareMembers } from "../families/family.ts";
import { type Config, configSchema } from "./config.ts";
import { currencySettings } from "./currency-settings.ts";
import {
  applySettings,
  type Environment,
  readSettings,
  type Setting,
  variableOf,
} from "./environment.ts";
import type { Fault } from "./fault.ts";
import { locateInJson, locateInToml, type Path, type Place, placeOfOffset } from "./locate.ts";
import { mailFaults } from "./mail.ts";
import { openLocksFaults } from "./open-locks.ts";
import { payoutFaults } from "./payout-faults.ts";
import { positionFaults } from "./position-limits.ts";
import { marginFaults } from "./rate-margins.ts";

/** Why a configuration file is invalid, each fault with its position: `sluice.toml:12:3 chains.ETH.nodes: ...`. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}

/** A configuration, and the members of it that environment variables set. */
export type ReadConfig = { readonly config: Config; readonly settings: readonly Setting[] };

/**
 * Reads and validates a configuration file (JSON if its name ends in `.json`, else TOML) with the members that environment
 * variables set. Reports all faults at once, each with its position or the name of its variable.
 */
export async function readConfig(
  file: string,
  environment: Environment = process.env,
): Promise<Config> {
  const { config } = await readConfigWithSettings(file, environment);
  return config;
}

/** Like `readConfig`; also tells what came from the environment. */
export async function readConfigWithSettings(
  file: string,
  environment: Environment = process.env,
): Promise<ReadConfig> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ConfigFault(`${file}: ${errorMessage(error)}`);
  });
  const { settings, faults } = await readSettings(configSchema, environment);
  if (faults.length > 0) throw new ConfigFault(faults.join("\n"));
  return { config: parseConfig(text, file, settings), settings };
}

/** Like `readConfig`, for a text that was read from `file`. */
export function parseConfig(text: string, file: string, settings: readonly Setting[] = []): Config {
  const isJson = file.endsWith(".json");
  const written = isJson ? valueOfJson(text, file) : valueOfToml(text, file);
  const { value, faults: misplaced } = applySettings(written, settings);
  if (misplaced.length > 0) throw new ConfigFault(misplaced.join("\n"));
  const result = configSchema.safeParse(value);
  const faults: readonly Fault[] = result.success
    ? faultsOfContent(result.data)
    : result.error.issues.map((issue) => {
        const path = issue.path.filter((step) => typeof step !== "symbol");
        const isMissing = issue.code === "invalid_type" && memberAt(value, path) === undefined;
        const message = `this member is required: set it here or in ${variableOf(path)}`;
        return { path, message: isMissing ? message : issue.message };
      });
  if (faults.length > 0) {
    const locate = (path: Path): Place =>
      isJson ? locateInJson(text, path) : locateInToml(text, path);
    const lines = faults.map((fault) => describe(fault, file, locate, settings));
    throw new ConfigFault(lines.join("\n"));
  }
  return configSchema.parse(value);
}

function describe(
  { path, message }: Fault,
  file: string,
  locate: (path: Path) => Place,
  settings: readonly Setting[],
): string {
  const member = `${path.join(".")}: ${message}`;
  const setting = settings
    .filter((candidate) => candidate.path.every((step, index) => step === path[index]))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (setting !== undefined) return `${setting.name} ${member}`;
  const { line, column } = locate(path);
  return `${file}:${line}:${column} ${member}`;
}

function memberAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

function valueOfToml(text: string, file: string): unknown {
  try {
    return getStaticTOMLValue(parseTOML(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigFault(`${file}:${error.lineNumber}:${error.column + 1} ${error.message}`);
  }
}

function valueOfJson(text: string, file: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, {
    allowTrailingComma: false,
    disallowComments: true,
  });
  const [error] = errors;
  if (error === undefined) return value;
  const { line, column } = placeOfOffset(text, error.offset);
  throw new ConfigFault(`${file}:${line}:${column} ${printParseErrorCode(error.error)}`);
}

/** Validates beyond the schema: chains exist and are built; tokens, overrides and amounts match the currencies. */
function faultsOfContent(config: Config): readonly Fault[] {
  const { currencies, problems } = deploymentCurrencies(currencySettings(config));
  const chainFaults = Object.entries(config.chains).flatMap(([id, chain]): Fault[] => {
    const record = findChain(id);
    if (record === null) return [{ path: ["chains", id], message: "there is no such chain" }];
    if (!isBuilt(record)) {
      return [{ path: ["chains", id], message: "this chain cannot be followed yet" }];
    }
    const { configFaults, rareMembers: used = [] } = familyOf(id);
    const unused = rareMembers.filter(
      (member) => chain[member] !== undefined && !used.includes(member),
    );
    return [
      ...unused.map((member) => ({ member, message: `${id} does not use ${member}` })),
      ...configFaults(
        chain,
        currencies.filter((currency) => currency.chain === id),
      ),
    ].map(({ member, message }) => ({
      path: ["chains", id, ...(member === null ? [] : [member])],
      message,
    }));
  });
  config.disabled_chains.forEach((id, index) => {
    const path = ["disabled_chains", index];
    if (findChain(id) === null) chainFaults.push({ path, message: "there is no such chain" });
    else if (Object.hasOwn(config.chains, id))
      chainFaults.push({ path, message: `chains.${id} is configured` });
  });
  const networks = Object.values(config.chains).map(({ network }) => network === "mainnet");
  if (networks.includes(true) && networks.includes(false)) {
    chainFaults.push({
      path: ["chains"],
      message: "main and test networks have different keys and do not mix",
    });
  }
  const places: Readonly<Record<string, string>> = { overrides: "currencies" };
  const isSound = chainFaults.length === 0 && problems.length === 0;
  const registry = isSound ? createRegistry(currencies) : null;
  return [
    ...chainFaults,
    ...(registry === null
      ? []
      : [
          ...payoutFaults(config, registry),
          ...marginFaults(config, registry),
          ...positionFaults(config, registry),
          ...openLocksFaults(config, registry),
        ]),
    ...mailFaults(config),
    ...problems.map(({ path, message }) => ({
      path: path.map((step, index) => (index === 0 ? (places[step] ?? step) : step)),
      message,
    })),
  ];
}
