-- Writes the Latin letters and digits that characters of other scripts look like, in small letters, as
-- config/names/make-names.swift makes them of Unicode's confusables.txt 15.0.0 (UTS #39; licence:
-- config/names/LICENSE-UNICODE): what leads to Latin letters, without what bare_name writes so by itself.
--
-- Called by: look_alike, name_looks.
CREATE OR REPLACE FUNCTION latin_letters(shown text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF shown !~ E'[^\u0001-\u007F]' THEN RETURN shown; END IF;
    -- Most names have none of these.
    IF shown ~ E'[\uA732\uA733\u04D4\u04D5\uA734\uA735\U0001F707\uA736\uA737\uA738\uA739\uA73A\uA73B\uA73C\uA73D'
        '\u042B\u02A3\u01C1\u05F0\u2016\u2225\U00010199\U00010198\u042E\u23E8\u02AA\u20B6\u02AB\u221E'
        '\uA698\uA699\uA74E\uA74F\U0001F700\u0271\u039C\u03FA\u041C\u04CD\u13B7\u15F0\u16D6\u1D6F\u20A5'
        '\u2C98\uA4DF\U000102B0\U00010311\U00011700\U000118E3\U0001D6B3\U0001D6ED\U0001D727\U0001D761'
        '\U0001D79B\U0001F76B\u03B2\u03D0\u13F0\uA7B5\U0001D6C3\U0001D6FD\U0001D737\U0001D771\U0001D7AB'
        '\U0001F75C\uA728\uA777\u02A6\u1D6B\uAB63\U0001F76C]'
    THEN
        shown := replace(shown, E'\uA732', 'aa');
        shown := replace(shown, E'\uA733', 'aa');
        shown := replace(shown, E'\u04D4', 'ae');
        shown := replace(shown, E'\u04D5', 'ae');
        shown := replace(shown, E'\uA734', 'ao');
        shown := replace(shown, E'\uA735', 'ao');
        shown := replace(shown, E'\U0001F707', 'ar');
        shown := replace(shown, E'\uA736', 'au');
        shown := replace(shown, E'\uA737', 'au');
        shown := replace(shown, E'\uA738', 'av');
        shown := replace(shown, E'\uA739', 'av');
        shown := replace(shown, E'\uA73A', 'av');
        shown := replace(shown, E'\uA73B', 'av');
        shown := replace(shown, E'\uA73C', 'ay');
        shown := replace(shown, E'\uA73D', 'ay');
        shown := replace(shown, E'\u042B', 'bl');
        shown := replace(shown, E'\u02A3', 'dz');
        shown := replace(shown, E'\u01C1', 'll');
        shown := replace(shown, E'\u05F0', 'll');
        shown := replace(shown, E'\u2016', 'll');
        shown := replace(shown, E'\u2225', 'll');
        shown := replace(shown, E'\U00010199', 'll');
        shown := replace(shown, E'\U00010198', 'lls');
        shown := replace(shown, E'\u042E', 'lo');
        shown := replace(shown, E'\u23E8', 'lo');
        shown := replace(shown, E'\u02AA', 'ls');
        shown := replace(shown, E'\u20B6', 'lt');
        shown := replace(shown, E'\u02AB', 'lz');
        shown := replace(shown, E'\u221E', 'oo');
        shown := replace(shown, E'\uA698', 'oo');
        shown := replace(shown, E'\uA699', 'oo');
        shown := replace(shown, E'\uA74E', 'oo');
        shown := replace(shown, E'\uA74F', 'oo');
        shown := replace(shown, E'\U0001F700', 'qe');
        shown := replace(shown, E'\u0271', 'rn');
        shown := replace(shown, E'\u039C', 'rn');
        shown := replace(shown, E'\u03FA', 'rn');
        shown := replace(shown, E'\u041C', 'rn');
        shown := replace(shown, E'\u04CD', 'rn');
        shown := replace(shown, E'\u13B7', 'rn');
        shown := replace(shown, E'\u15F0', 'rn');
        shown := replace(shown, E'\u16D6', 'rn');
        shown := replace(shown, E'\u1D6F', 'rn');
        shown := replace(shown, E'\u20A5', 'rn');
        shown := replace(shown, E'\u2C98', 'rn');
        shown := replace(shown, E'\uA4DF', 'rn');
        shown := replace(shown, E'\U000102B0', 'rn');
        shown := replace(shown, E'\U00010311', 'rn');
        shown := replace(shown, E'\U00011700', 'rn');
        shown := replace(shown, E'\U000118E3', 'rn');
        shown := replace(shown, E'\U0001D6B3', 'rn');
        shown := replace(shown, E'\U0001D6ED', 'rn');
        shown := replace(shown, E'\U0001D727', 'rn');
        shown := replace(shown, E'\U0001D761', 'rn');
        shown := replace(shown, E'\U0001D79B', 'rn');
        shown := replace(shown, E'\U0001F76B', 'rnb');
        shown := replace(shown, E'\u03B2', 'ss');
        shown := replace(shown, E'\u03D0', 'ss');
        shown := replace(shown, E'\u13F0', 'ss');
        shown := replace(shown, E'\uA7B5', 'ss');
        shown := replace(shown, E'\U0001D6C3', 'ss');
        shown := replace(shown, E'\U0001D6FD', 'ss');
        shown := replace(shown, E'\U0001D737', 'ss');
        shown := replace(shown, E'\U0001D771', 'ss');
        shown := replace(shown, E'\U0001D7AB', 'ss');
        shown := replace(shown, E'\U0001F75C', 'sss');
        shown := replace(shown, E'\uA728', 't3');
        shown := replace(shown, E'\uA777', 'tf');
        shown := replace(shown, E'\u02A6', 'ts');
        shown := replace(shown, E'\u1D6B', 'ue');
        shown := replace(shown, E'\uAB63', 'uo');
        shown := replace(shown, E'\U0001F76C', 'vb');
    END IF;
    RETURN translate(shown,
        E'\u01A7\u01BB\u03E8\u14BF\uA644\uA6EF\uA75A\u01B7\u021C\u0417\u0498\u04E0\u2CCC\uA76A\uA7AB\U000118CA'
        '\U00016F3B\U0001D206\u13CE\U000118AF\u01BC\U000118BB\u0431\u13EE\u2CD2\U000118D5\U000104D2\U000118C6'
        '\U0001D212\u0222\u0223\u09EA\u0A6A\u0B03\U0001031A\U0001E8CB\u09ED\u0A67\u0B68\u0D6D\u2CCA\uA76E\U000118AC'
        '\U000118CC\U000118D6\u0251\u0391\u03B1\u0410\u0430\u13AA\u15C5\u1E9A\u2376\u237A\uA4EE\U000102A0\U00016F40'
        '\U0001D6A8\U0001D6C2\U0001D6E2\U0001D6FC\U0001D71C\U0001D736\U0001D756\U0001D770\U0001D790\U0001D7AA\u0180'
        '\u0182\u0183\u0184\u0253\u0392\u0411\u0412\u042C\u0462\u0463\u048C\u048D\u13CF\u13F4\u1472\u1473\u15AF'
        '\u15F7\uA4D0\uA7B4\U00010282\U000102A1\U00010301\U0001D6A9\U0001D6E3\U0001D71D\U0001D757\U0001D791\u00A2'
        '\u023C\u03F2\u03F9\u0421\u0441\u04AA\u04AB\u13DF\u1D04\u20A1\u2CA4\u2CA5\uA4DA\uABAF\U000102A2\U00010302'
        '\U00010415\U0001043D\U0001051C\U000118E9\U000118F2\U0001F16E\U0001F74C\u0189\u018C\u0256\u0257\u0501\u13A0'
        '\u13E7\u146F\u15DE\u15EA\u20AB\uA4D2\uA4D3\u0246\u0247\u0395\u0415\u0435\u04BD\u04BF\u13AC\u212E\u22FF'
        '\u2D39\uA4F0\uAB32\U00010286\U000118A6\U000118AE\U0001D6AC\U0001D6E6\U0001D720\U0001D75A\U0001D794\u017F'
        '\u0191\u0192\u03DC\u0584\u15B4\u1D6E\u1E9D\uA4DD\uA798\uA799\uAB35\U00010287\U000102A5\U00010525\U000118A2'
        '\U000118C2\U0001D213\U0001D7CA\u018D\u01E4\u01E5\u0260\u0261\u050C\u0581\u13C0\u13F3\u1D83\u1DA2\uA4D6'
        '\u0266\u0397\u041D\u045B\u04A2\u04BB\u04C7\u04C9\u0570\u13BB\u13C2\u13F2\u157C\u1D78\u2C67\u2C8E\uA4E7'
        '\uA695\U000102CF\U0001D6AE\U0001D6E8\U0001D722\U0001D75C\U0001D796\u0248\u0249\u037F\u03F3\u0408\u0458'
        '\u13AB\u148D\uA4D9\uA7B2\u0199\u039A\u041A\u049A\u049E\u13E6\u16D5\u20AD\u2C69\u2C94\uA4D7\uA740\U00010518'
        '\U0001D6B1\U0001D6EB\U0001D725\U0001D75F\U0001D799\u0196\u0197\u019A\u01C0\u0268\u0269\u026A\u026B\u026D'
        '\u02DB\u037A\u0399\u03B9\u0406\u0456\u04C0\u04CF\u05C0\u05D5\u05DF\u0625\u0627\u0661\u0673\u06F1\u07CA'
        '\u13A5\u13DE\u14AA\u16C1\u1D7B\u1D7C\u1FBE\u2223\u2373\u2378\u23FD\u2C92\u2CD0\u2D4F\uA4E1\uA4F2\uA647'
        '\uAB75\uFD3C\uFD3D\uFE87\uFE88\uFE8D\uFE8E\uFFE8\U0001028A\U00010309\U00010320\U0001041B\U00010526'
        '\U000118A3\U000118B2\U000118C3\U00016F16\U00016F28\U0001D22A\U0001D6B0\U0001D6CA\U0001D6EA\U0001D704'
        '\U0001D724\U0001D73E\U0001D75E\U0001D778\U0001D798\U0001D7B2\U0001E8C7\U0001EE00\U0001EE80\u019D\u019E'
        '\u0273\u039D\u03B7\u0578\u057C\u1D70\u2C9A\uA4E0\U0001018E\U00010513\U0001D6B4\U0001D6C8\U0001D6EE'
        '\U0001D702\U0001D728\U0001D73C\U0001D762\U0001D776\U0001D79C\U0001D7B0\u019F\u0275\u0398\u039F\u03B8\u03BF'
        '\u03C3\u03D1\u03F4\u041E\u043E\u0472\u0473\u04E8\u04E9\u0555\u0585\u05E1\u0647\u0665\u06BE\u06C1\u06D5'
        '\u06F5\u06FF\u07C0\u0966\u09E6\u0A66\u0AE6\u0B20\u0B66\u0BE6\u0C02\u0C66\u0C82\u0CE6\u0D02\u0D20\u0D66'
        '\u0D82\u0E50\u0ED0\u101D\u1040\u10FF\u12D0\u13BE\u13EB\u1D0F\u1D11\u2296\u229D\u236C\u2C9E\u2C9F\u2D31'
        '\u2D41\u2D54\u3007\uA4F3\uA74A\uA74B\uAB3D\uAB3E\uAB74\uAB8E\uABBB\uFBA6\uFBA7\uFBA8\uFBA9\uFBAA\uFBAB'
        '\uFBAC\uFBAD\uFCD9\uFEE9\uFEEA\uFEEB\uFEEC\U00010292\U000102AB\U00010404\U0001042C\U000104C2\U000104EA'
        '\U00010516\U000114D0\U000118B5\U000118C8\U000118D7\U000118E0\U0001D21A\U0001D6AF\U0001D6B6\U0001D6B9'
        '\U0001D6C9\U0001D6D0\U0001D6D4\U0001D6DD\U0001D6E9\U0001D6F0\U0001D6F3\U0001D703\U0001D70A\U0001D70E'
        '\U0001D717\U0001D723\U0001D72A\U0001D72D\U0001D73D\U0001D744\U0001D748\U0001D751\U0001D75D\U0001D764'
        '\U0001D767\U0001D777\U0001D77E\U0001D782\U0001D78B\U0001D797\U0001D79E\U0001D7A1\U0001D7B1\U0001D7B8'
        '\U0001D7BC\U0001D7C5\U0001EE24\U0001EE64\U0001EE84\U0001F714\u01A5\u03A1\u03C1\u03F1\u0420\u0440\u13E2'
        '\u146D\u1D7D\u2374\u2CA2\u2CA3\uA4D1\U00010295\U0001D6B8\U0001D6D2\U0001D6E0\U0001D6F2\U0001D70C\U0001D71A'
        '\U0001D72C\U0001D746\U0001D754\U0001D766\U0001D780\U0001D78E\U0001D7A0\U0001D7BA\U0001D7C8\u02A0\u051B'
        '\u0563\u0566\u2D55\u01A6\u024D\u027C\u027D\u0433\u0493\u13A1\u13D2\u1587\u1D26\u1D72\u2C85\uA4E3\uAB47'
        '\uAB48\uAB81\U000104B4\U00016F35\U0001D216\u01BD\u0282\u0405\u0455\u054F\u13D5\u13DA\u1D74\uA4E2\uA731'
        '\uABAA\U00010296\U00010420\U00010448\U000118C1\U00016F3A\u01AD\u01AE\u023E\u03A4\u0422\u04AC\u13A2\u1D75'
        '\u20AE\u22A4\u2361\u27D9\u2CA6\uA4D4\U00010297\U000102B1\U00010315\U000118BC\U00016F0A\U0001D6BB\U0001D6F5'
        '\U0001D72F\U0001D769\U0001D7A3\U0001F768\u0244\u028B\u03C5\u054D\u057D\u1200\u13CC\u144C\u1D1C\u1D7E\u222A'
        '\u22C3\uA4F4\uA79F\uAB4E\uAB52\uAB9C\U000104CE\U000104F6\U000118B8\U000118D8\U00016F42\U0001D6D6\U0001D710'
        '\U0001D74A\U0001D784\U0001D7BE\u03BD\u0474\u0475\u05D8\u0667\u06F7\u13D9\u142F\u1D20\u2228\u22C1\u2D38'
        '\uA4E6\uA6DF\uABA9\U00010197\U0001051D\U00011706\U000118A0\U000118C0\U00016F08\U0001D20D\U0001D6CE'
        '\U0001D708\U0001D742\U0001D77C\U0001D7B6\U0001F708\u026F\u0461\u047D\u051C\u051D\u0561\u13B3\u13D4\u1D21'
        '\u20A9\uA4EA\uA761\uAB83\U000114C5\U0001170A\U0001170E\U0001170F\U000118E6\U000118EF\u00D7\u03A7\u0425'
        '\u0445\u04B2\u1541\u157D\u166D\u166E\u16B7\u2573\u292B\u292C\u2A2F\u2A30\u2CAC\u2D5D\uA4EB\uA7B3\U00010196'
        '\U00010290\U000102B4\U00010317\U00010322\U00010527\U000118EC\U0001D6BE\U0001D6F8\U0001D732\U0001D76C'
        '\U0001D7A6\u00A5\u01B4\u024E\u024F\u0263\u028F\u03A5\u03B3\u03D2\u0423\u0443\u04AE\u04AF\u04B0\u04B1\u10E7'
        '\u13A9\u13BD\u1D8C\u1EFF\u213D\u2CA8\uA4EC\uAB5A\U000102B2\U000118A4\U000118DC\U00016F43\U0001D6BC'
        '\U0001D6C4\U0001D6F6\U0001D6FE\U0001D730\U0001D738\U0001D76A\U0001D772\U0001D7A4\U0001D7AC\u01B5\u01B6'
        '\u0224\u0225\u0290\u0396\u13C3\u1D22\u1D76\uA4DC\uAB93\U000102F5\U000118A9\U000118C4\U000118E5\U0001D6AD'
        '\U0001D6E7\U0001D721\U0001D75B\U0001D795',
        E'222222233333333333445566667778888888999999999aaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbccccccccc'
        'cccccccccccccccdddddddddddddeeeeeeeeeeeeeeeeeeeeefffffffffffffffffffgggggggggggghhhhhhhhhhhhhhhhhhhhhhhhjj'
        'jjjjjjjjkkkkkkkkkkkkkkkkkklllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllnnnnn'
        'nnnnnnnnnnnnnnnnnooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo'
        'oooooooooooooooooooooooooooooooooooooooooooopppppppppppppppppppppppppppppqqqqqrrrrrrrrrrrrrrrrrrrsssssssss'
        'ssssssstttttttttttttttttttttttttuuuuuuuuuuuuuuuuuuuuuuuuuuuvvvvvvvvvvvvvvvvvvvvvvvvvvvvwwwwwwwwwwwwwwwwwww'
        'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyzzzzzzzzzzzzzzzzzzzz');
END
$$;
