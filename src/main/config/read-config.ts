import { readFile } from "node:fs/promises";
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser";
import { getStaticTOMLValue, parseTOML, ParseError as TomlError } from "toml-eslint-parser";
import { isBuilt } from "../../currencies/chain-record.ts";
import { findChain } from "../../currencies/chains.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { familyOf } from "../families/families.ts";
import { type Config, configSchema } from "./config.ts";
import { currencySettings } from "./currency-settings.ts";
import type { Fault } from "./fault.ts";
import { locateInJson, locateInToml, type Path, type Place, placeOfOffset } from "./locate.ts";
import { openLocksFaults } from "./open-locks.ts";
import { payoutFaults } from "./payout-faults.ts";
import { positionFaults } from "./position-limits.ts";
import { marginFaults } from "./rate-margins.ts";

/** Why a configuration file is invalid, each fault with its position: `sluice.toml:12:3 chains.ETH.nodes: ...`. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}

/** Reads and validates a configuration file: JSON if its name ends in `.json`, else TOML. Reports all faults at once. */
export async function readConfig(file: string): Promise<Config> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ConfigFault(`${file}: ${errorMessage(error)}`);
  });
  return parseConfig(text, file);
}

/** Like `readConfig`, for a text that was read from `file`. */
export function parseConfig(text: string, file: string): Config {
  const isJson = file.endsWith(".json");
  const value = isJson ? valueOfJson(text, file) : valueOfToml(text, file);
  const locate = (path: Path): Place =>
    isJson ? locateInJson(text, path) : locateInToml(text, path);
  const result = configSchema.safeParse(value);
  const faults: readonly Fault[] = result.success
    ? faultsOfContent(result.data)
    : result.error.issues.map((issue) => ({
        path: issue.path.filter((step) => typeof step !== "symbol"),
        message: issue.message,
      }));
  if (faults.length > 0) throw new ConfigFault(describe(faults, file, locate));
  return configSchema.parse(value);
}

function describe(faults: readonly Fault[], file: string, locate: (path: Path) => Place): string {
  return faults
    .map(({ path, message }) => {
      const { line, column } = locate(path);
      return `${file}:${line}:${column} ${path.join(".")}: ${message}`;
    })
    .join("\n");
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
  const chainFaults = Object.entries(config.chains).flatMap(([id, chain]): Fault[] => {
    const record = findChain(id);
    if (record === null) return [{ path: ["chains", id], message: "there is no such chain" }];
    if (!isBuilt(record)) {
      return [{ path: ["chains", id], message: "this chain cannot be followed yet" }];
    }
    return familyOf(id)
      .configFaults(chain)
      .map(({ member, message }) => ({
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
  const { currencies, problems } = deploymentCurrencies(currencySettings(config));
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
    ...problems.map(({ path, message }) => ({
      path: path.map((step, index) => (index === 0 ? (places[step] ?? step) : step)),
      message,
    })),
  ];
}
