import { Button, Collapse, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { beginTyping, hearAddress, passOn } from "./typed-text.ts";
import type { ListSearch } from "./use-list-search.ts";

/** One filter of the interface, as people set it. */
export type FilterField =
  | {
      readonly kind: "choice";
      readonly name: string;
      readonly label: string;
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    }
  | { readonly kind: "text"; readonly name: string; readonly label: string }
  /** Sets `<name>_from` and `<name>_to`. */
  | { readonly kind: "days"; readonly name: string; readonly label: string };

/** Wait for the end of a word before the service is asked. */
const typingPauseMs = 350;

const phone = "(max-width: 40em)";

/**
 * The free search, the filters behind a button that counts those that are set, and `actions` of the list at the end. All of it is
 * kept in the address bar by `search` (see `useListSearch`).
 */
export function FilterBar({
  search,
  fields,
  searchLabel,
  actions,
}: {
  readonly search: ListSearch;
  readonly fields: readonly FilterField[];
  /** What the free search looks through; null shows none. */
  readonly searchLabel: string | null;
  readonly actions?: ReactNode;
}) {
  const count = Object.keys(search.filter).length;
  // On a phone they would be all that is seen of the list: the button says how many are set.
  const [isOpen, { toggle }] = useDisclosure(count > 0 && !matchMedia(phone).matches);
  const id = useId();
  // Clear also takes back what was typed and not passed on yet: fields of another number begin anew.
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
            {count === 0 ? "Filters" : `Filters (${count})`}
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
            Clear
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
          data={[{ value: "", label: "Any" }, ...field.choices]}
          onChange={({ currentTarget }) => {
            setFilter({ [name]: currentTarget.value });
          }}
        />
      );
    case "text":
      return (
        <TypedInput
          label={label}
          value={filter[name] ?? ""}
          onType={(value) => {
            setFilter({ [name]: value });
          }}
        />
      );
    case "days":
      return ["from", "to"].map((end) => (
        <TextInput
          key={end}
          type="date"
          label={`${label} ${end}`}
          value={(filter[`${name}_${end}`] ?? "").slice(0, 10)}
          onChange={({ currentTarget: { value } }) => {
            setFilter({ [`${name}_${end}`]: value });
          }}
        />
      ));
  }
}

/** A text that is passed on when the typing pauses, or at once by Enter. */
function TypedInput({
  label,
  value,
  onType,
  isSearch = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly isSearch?: boolean;
}) {
  const [before, setText] = useState(() => beginTyping(value));
  const text = hearAddress(before, value);
  if (text !== before) setText(text);
  const passOnNow = (): void => {
    const passed = passOn(text);
    if (passed === null) return;
    setText(passed);
    onType(text.typed.trim());
  };
  const passOnSoon = useDebouncedCallback(passOnNow, typingPauseMs);
  const look = isSearch
    ? {
        "aria-label": label,
        placeholder: label,
        leftSection: <IconSearch size={16} />,
        type: "search",
        flex: { base: "1 1 100%", xs: "1 1 12rem" },
        maw: { xs: 360 },
      }
    : { label };
  return (
    <TextInput
      {...look}
      value={text.typed}
      onChange={({ currentTarget }) => {
        setText({ ...text, typed: currentTarget.value });
        passOnSoon();
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") passOnNow();
      }}
    />
  );
}
