import { Button, Collapse, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { normalizeDecimal } from "../../../page/src/normalize-decimal.ts";
import { t } from "../language/t.ts";
import { applyUrlValue, createTypedText, submitTypedText } from "./typed-text.ts";
import type { ListSearch } from "./use-list-search.ts";

/** One filter of a list, with the API's filter name. */
export type FilterField =
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    }
  | { readonly kind: "text"; readonly name: string; readonly label: string }
  /** Accepts a decimal comma. */
  | { readonly kind: "amount"; readonly name: string; readonly label: string }
  /** Sets `<name>_from` and `<name>_to`. */
  | { readonly kind: "days"; readonly name: string; readonly label: string };

/** The pause after the last keystroke before the text is applied. */
const typingPauseMs = 350;

const phone = "(max-width: 40em)";

/**
 * The search field, the filters behind a button that counts the active ones, and the list's `actions`. The URL holds the state
 * (see `useListSearch`).
 */
export function FilterBar({
  search,
  fields,
  searchLabel,
  actions,
}: {
  readonly search: ListSearch;
  readonly fields: readonly FilterField[];
  /** Label of the search field; null hides it. */
  readonly searchLabel: string | null;
  readonly actions?: ReactNode;
}) {
  const count = Object.keys(search.filter).length;
  // On a phone open filters would hide the list; the button shows how many are active.
  const [isOpen, { toggle }] = useDisclosure(count > 0 && !matchMedia(phone).matches);
  const id = useId();
  // Clear also discards text that was typed but not applied yet: a new key resets the fields.
  const [clearings, setClearings] = useState(0);
  return (
    <div>
      <Group gap="sm">
        {searchLabel === null ? null : (
          <TypedInput
            key={clearings}
            label={searchLabel}
            value={search.text}
            onType={search.setText}
            isSearch
          />
        )}
        {fields.length === 0 ? null : (
          <Button
            variant="default"
            leftSection={<IconFilter size={16} />}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={id}
          >
            {count === 0 ? t("Filters") : t("Filters ({count})", { count })}
          </Button>
        )}
        {count === 0 && search.text === "" ? null : (
          <Button
            variant="subtle"
            leftSection={<IconX size={16} />}
            onClick={() => {
              setClearings(clearings + 1);
              search.clear();
            }}
          >
            {t("Clear")}
          </Button>
        )}
        {actions === undefined ? null : (
          <Group gap="sm" ms="auto">
            {actions}
          </Group>
        )}
      </Group>
      <Collapse expanded={isOpen} id={id}>
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="sm" pt="md">
          {fields.map((field) => (
            <FilterInput key={`${field.name} ${clearings}`} field={field} search={search} />
          ))}
        </SimpleGrid>
      </Collapse>
    </div>
  );
}

function FilterInput({
  field,
  search: { filter, setFilter },
}: {
  readonly field: FilterField;
  readonly search: ListSearch;
}) {
  const { name, label } = field;
  switch (field.kind) {
    case "choice":
      return (
        <NativeSelect
          label={label}
          value={filter[name] ?? ""}
          data={[{ value: "", label: t("Any") }, ...field.choices]}
          onChange={({ currentTarget }) => {
            setFilter({ [name]: currentTarget.value });
          }}
        />
      );
    case "text":
    case "amount":
      return (
        <TypedInput
          label={label}
          value={filter[name] ?? ""}
          onType={(value) => {
            setFilter({ [name]: value });
          }}
          isAmount={field.kind === "amount"}
        />
      );
    case "days":
      return ["from", "to"].map((end) => (
        <TextInput
          key={end}
          type="date"
          label={end === "from" ? t("{label} from", { label }) : t("{label} to", { label })}
          value={(filter[`${name}_${end}`] ?? "").slice(0, 10)}
          onChange={({ currentTarget: { value } }) => {
            setFilter({ [`${name}_${end}`]: value });
          }}
        />
      ));
  }
}

/** A text field that applies its value when typing pauses, or immediately on Enter. */
function TypedInput({
  label,
  value,
  onType,
  isSearch = false,
  isAmount = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly isSearch?: boolean;
  readonly isAmount?: boolean;
}) {
  const [before, setText] = useState(() => createTypedText(value));
  const text = applyUrlValue(before, value);
  if (text !== before) setText(text);
  const submit = (): void => {
    const normalize = isAmount ? normalizeDecimal : (typed: string) => typed.trim();
    const submitted = submitTypedText(text, normalize);
    if (submitted === null) return;
    setText(submitted);
    onType(normalize(text.typed));
  };
  const submitSoon = useDebouncedCallback(submit, typingPauseMs);
  const look = isSearch
    ? {
        "aria-label": label,
        placeholder: label,
        leftSection: <IconSearch size={16} />,
        type: "search",
        flex: { base: "1 1 100%", xs: "1 1 12rem" },
        maw: { xs: 360 },
      }
    : { label, ...(isAmount ? { inputMode: "decimal" as const } : {}) };
  return (
    <TextInput
      {...look}
      value={text.typed}
      onChange={({ currentTarget }) => {
        setText({ ...text, typed: currentTarget.value });
        submitSoon();
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") submit();
      }}
    />
  );
}
