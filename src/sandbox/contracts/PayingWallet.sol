// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface Token {
    function transfer(address to, uint256 value) external;
}

/// A contract that pays on: ether and tokens to several, some of it in calls that fail, some of it by its end.
contract PayingWallet {
    receive() external payable {}

    /// Pays each its amount.
    function payAll(address payable[] calldata to, uint256[] calldata amounts) public payable {
        for (uint256 i = 0; i < to.length; i++) {
            (bool paid, ) = to[i].call{value: amounts[i]}("");
            require(paid, "unpaid");
        }
    }

    /// Pays the same, then takes it all back.
    function payAllAndFail(address payable[] calldata to, uint256[] calldata amounts) external payable {
        payAll(to, amounts);
        revert("changed my mind");
    }

    /// A payment that fails inside and is caught, then one that succeeds.
    function payPartly(
        address payable[] calldata failing,
        address payable[] calldata succeeding,
        uint256[] calldata amounts
    ) external payable {
        try this.payAllAndFail(failing, amounts) {} catch {}
        this.payAll(succeeding, amounts);
    }

    /// Runs its own code through a delegatecall, which carries the value but moves none.
    function payThroughDelegate(address payable[] calldata to, uint256[] calldata amounts) external payable {
        (bool done, ) = address(this).delegatecall(abi.encodeCall(this.payAll, (to, amounts)));
        require(done, "undone");
    }

    /// Several transfers of one token to one payee.
    function payTokens(Token token, address to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < amounts.length; i++) token.transfer(to, amounts[i]);
    }

    /// Makes a contract that holds the value and ends at once: its last act pays the heir without calling it.
    function payByEnding(address payable heir) external payable {
        new Ending{value: msg.value}(heir);
    }

    /// The same in a call that fails and is caught.
    function failByEnding(address payable heir) external payable {
        try this.endAndFail{value: msg.value}(heir) {} catch {}
    }

    function endAndFail(address payable heir) external payable {
        new Ending{value: msg.value}(heir);
        revert("not ended");
    }
}

contract Ending {
    constructor(address payable heir) payable {
        selfdestruct(heir);
    }
}
