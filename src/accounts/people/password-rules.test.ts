import { describe, expect, it } from "vitest";
import { loginFault, passwordFault } from "./password-rules.ts";

describe("passwordFault", () => {
  it.each([
    ["correct horse battery", null],
    ["pässwört mit Umläuten", null],
    ["too short", "A password has at least 12 characters."],
    ["x".repeat(201), "A password has at most 200 characters."],
    ["my ada@shop.example!", "The password must not contain the login."],
    ["aaaaaaaaaaaaaaaa", "The password must have at least 5 different characters."],
    ["123456789012", "The password must not be a sequence such as 123456."],
    ["abcdefghijklm", "The password must not be a sequence such as 123456."],
  ])("returns for %s: %s", (password, fault) => {
    expect(passwordFault(password, "Ada@shop.example")).toBe(fault);
  });
});

describe("loginFault", () => {
  it("accepts names and email addresses", () => {
    for (const login of ["ada", "ada@shop.example", "ada+books", "Zoë", "王小明"])
      expect(loginFault(login)).toBeNull();
    for (const login of ["", "ab", "a b c", "-ada", "ada\n", "a".repeat(129), "<b>ada</b>"])
      expect(loginFault(login)).not.toBeNull();
  });
});
