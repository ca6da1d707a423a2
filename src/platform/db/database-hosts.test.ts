import { describe, expect, it } from "vitest";
import { isWritableTarget, readDatabaseHosts } from "./database-hosts.ts";

const hostsIn = (text: string): readonly string[] => readDatabaseHosts(text).urls;

describe("a database URL with several hosts", () => {
  it("is one URL for each host, with everything else repeated", () => {
    expect(
      hostsIn("postgres://me:p%40ss@db-1,db-2:6432,[::1]:5433/sluice?sslmode=require"),
    ).toEqual([
      "postgres://me:p%40ss@db-1/sluice?sslmode=require",
      "postgres://me:p%40ss@db-2:6432/sluice?sslmode=require",
      "postgres://me:p%40ss@[::1]:5433/sluice?sslmode=require",
    ]);
    expect(hostsIn("postgresql://a,b/db?target_session_attrs=read-write")).toEqual([
      "postgresql://a/db",
      "postgresql://b/db",
    ]);
  });

  it("leaves any other text as it is", () => {
    for (const text of [
      "postgres://me@db/sluice?sslmode=require",
      "postgres:///sluice",
      "not a URL",
      "socket:/run?db=a,b",
    ])
      expect(hostsIn(text)).toEqual([text]);
  });

  it("accepts targets that allow writes", () => {
    const accepts = (target: string): boolean =>
      isWritableTarget(`postgres://a,b/db?target_session_attrs=${target}`);
    expect(["read-write", "primary", "any"].map(accepts)).toEqual([true, true, true]);
    expect(["standby", "read-only", "prefer-standby", ""].map(accepts)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(isWritableTarget("postgres://a,b/db")).toBe(true);
  });
});
