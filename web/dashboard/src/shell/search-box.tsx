import { ActionIcon, Button, Kbd, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type SyntheticEvent, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { t } from "../language/t.ts";
import { SearchHits } from "./search-hits.tsx";

const label = t("ID, transaction, tracking ID, label, address or payment link");

/** Searches deposits, payouts and transfers from any page, by a button or the `/` key. */
export function SearchBox() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([
    ["/", open],
    ["mod+K", open],
  ]);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">/</Kbd>}
        onClick={open}
      >
        {t("Search")}
      </Button>
      <ActionIcon
        hiddenFrom="sm"
        variant="default"
        size="lg"
        aria-label={t("Search")}
        onClick={open}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={t("Search")}
        size="lg"
        yOffset="10vh"
        centered={false}
      >
        <Search onChoose={close} />
      </Dialog>
    </>
  );
}

function Search({ onChoose }: { readonly onChoose: () => void }) {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 250);
  // Enter opens the best result, as soon as the results are those of the text.
  const [isOpening, setOpening] = useState(false);
  return (
    <Stack
      component="form"
      role="search"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        setOpening(true);
      }}
    >
      <TextInput
        data-autofocus
        type="search"
        label={label}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpening(false);
        }}
      />
      <SearchHits
        text={query}
        isTyping={text.trim() !== query}
        isOpening={isOpening}
        onChoose={onChoose}
      />
    </Stack>
  );
}
