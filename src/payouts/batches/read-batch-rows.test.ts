import { describe, expect, it } from "vitest";
import { batchRowsMax, readBatchRows } from "./read-batch-rows.ts";

// Files as spreadsheets write them, and what is wrong with others.

const address = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

describe("readBatchRows", () => {
  it.each([
    ["commas", `address,amount,label\n${address},1.5,"Doe, Jo ""J"""\n`],
    [
      "semicolons, CRLF and a byte order mark",
      `\uFEFFAddress;Amount;Label\r\n${address};1.5;"Doe, Jo ""J"""\r\n`,
    ],
    ["tabs and no last line end", `amount\tlabel\taddress\n1.5\t"Doe, Jo ""J"""\t ${address} `],
    ["empty lines", `address,amount,label\n\n${address},1.5,"Doe, Jo ""J"""\n,,\n`],
  ])("reads %s", (name, file) => {
    const { rows, faults } = readBatchRows(file);
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([
      {
        number: name === "empty lines" ? 3 : 2,
        address,
        amount: "1.5",
        label: 'Doe, Jo "J"',
        tag: null,
        trackingId: null,
        travelRule: null,
      },
    ]);
  });

  it("numbers rows as a spreadsheet does, also after a cell with several lines", () => {
    const file = `address,amount,label\n${address},1,"two\nlines"\n${address},2,\n`;
    expect(readBatchRows(file).rows.map(({ number, label }) => [number, label])).toEqual([
      [2, "two\nlines"],
      [4, null],
    ]);
  });

  it("reads persons and companies", () => {
    const file = `address,amount,first_name,last_name,company,country,street\n${address},1,Jo,Doe,,DE,Some Street 1\n${address},1,,,Shop Ltd,,Some Street 2\n`;
    const { rows, faults } = readBatchRows(file);
    expect(faults).toEqual([]);
    const [person, company] = rows.map(({ travelRule }) => JSON.stringify(travelRule));
    expect(person).toContain('"naturalPerson"');
    expect(person).toContain('"secondaryIdentifier":"Jo"');
    expect(company).toContain('"legalPersonName":"Shop Ltd"');
  });

  it.each([
    ["", ["1 null"]],
    ["address,amount\n", ["1 null"]],
    [`adress,amount\n${address},1\n`, ["1 address", "1 adress"]],
    [`address,amount,amount\n${address},1,2\n`, ["1 amount"]],
    [`address,amount\n${address},1,3\n`, ["2 null"]],
    [`address,amount\n,1\n${address},\n`, ["2 address", "3 amount"]],
    [`address,amount,label\n${address},1,"open\n`, ["2 null"]],
    [`address,amount,label\n${address},1,"a"b\n`, ["2 null"]],
    [`address,amount,label\n${address},1,${"x".repeat(33)}\n`, ["2 label"]],
    [`address,amount,tag\n${address},1,${"x".repeat(65)}\n`, ["2 tag"]],
    [`address,amount,tag_type\n${address},1,${"1".repeat(65)}\n`, ["2 tag_type"]],
    [`address,amount\n${"a".repeat(129)},1\n`, ["2 address"]],
    [`address,amount\n${address},${"1".repeat(37)}\n`, ["2 amount"]],
    [`address,amount,tracking_id\n${address},1,a\n${address},2,a\n`, ["3 tracking_id"]],
    [`address,amount,first_name\n${address},1,Jo\n`, ["2 last_name", "2 street"]],
    [`address,amount,first_name,company,street\n${address},1,Jo,Shop,S\n`, ["2 company"]],
  ])("says what is wrong with %j", (file, expected) => {
    expect(
      readBatchRows(file).faults.map(({ row, column }) => `${row} ${column ?? "null"}`),
    ).toEqual(expected);
  });

  it("reads at most so many rows", () => {
    const file = (rows: number) => `address,amount\n${`${address},1\n`.repeat(rows)}`;
    expect(readBatchRows(file(batchRowsMax)).faults).toEqual([]);
    expect(readBatchRows(file(batchRowsMax + 1)).faults).toMatchObject([{ row: batchRowsMax + 2 }]);
  });
});
