/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * exp, log, pow, sin and cos, in pieces of C. The including file defines with ELEMENTARY what they become:
 * code of the library (elementary.c), or text for code that is compiled while a model runs; TABLES holds what
 * functions of both kinds look up. So there is one definition, and interpreter and compiled code agree to the
 * bit. What is in GENERAL is the same for one number and for several in parallel: its words have one meaning
 * in elementary.c (ONE_NUMBER) and another in the text of lanes (code/native_lanes.c). SPECIAL states for
 * which arguments another function computes the value; a single number returns there, for several MENDED
 * inserts the value at the end.
 *
 * All are short and branch-free for ordinary arguments, and leave the others to libm. Products are added with
 * one rounding (fma), so that a remainder of a reduction is exact where it has to be. Each follows from one
 * identity:
 *   exp  x = k·ln2/128 + r:          2^(k/128)·e^r, the first by table, e^r by a polynomial on |r| < 0.0028
 *   log  x = 2^k·z, c next to z:     k·ln2 + log c + log(1 + r), r = z/c − 1, |r| < 1/256, c a multiple of 1/128 (1/256 below 1)
 *   pow  exp(y·log x), the logarithm as a sum of two numbers, which has about 68 bits
 *   sin  x = n·π/2 + r:              sine or cosine of r by polynomials on |r| < π/4, π/2 as a sum of three numbers
 * Polynomials interpolate at Chebyshev nodes. Errors, in units of the last place, are in
 * tests/rt/elementary_test.c. */
// clang-format off

ELEMENTARY(union elementary_word { double value; uint64_t bits; };)

ELEMENTARY(FUNCTION uint64_t elementary_bits(double a) {
    const union elementary_word word = {.value = a};
    return word.bits;
})

ELEMENTARY(FUNCTION double elementary_of(uint64_t a) {
    const union elementary_word word = {.bits = a};
    return word.value;
})

/* ---- what is special ----------------------------------------------------------------------------------- */

ELEMENTARY(RARE double elementary_rare_exp(double x) { return exp(x); })
ELEMENTARY(RARE double elementary_rare_log(double x) { return log(x); })
ELEMENTARY(RARE double elementary_rare_pow(double x, double y) { return pow(x, y); })
ELEMENTARY(RARE double elementary_rare_sin(double x) { return sin(x); })
ELEMENTARY(RARE double elementary_rare_cos(double x) { return cos(x); })

/* ---- exp ----------------------------------------------------------------------------------------------- */

/* 2^(i/128): the nearest number, with i subtracted from its exponent bits, so that k·2^45 can be added to
 * them; and the remainder, as a share of it. */
TABLES(TABLE const struct { double tail; uint64_t bits; } elementary_exp_table[128] = {
    {0, 0x3ff0000000000000u}, {0x1.b3b4f1a88bf6dp-54, 0x3feff63da9fb3335u}, {-0x1.160139cd8dc5dp-56, 0x3fefec9a3e778061u},
    {-0x1.05e7a108766d1p-54, 0x3fefe315e86e7f85u}, {0x1.cd2523567f613p-55, 0x3fefd9b0d3158574u}, {-0x1.bce8023f98efap-55, 0x3fefd06b29ddf6deu},
    {0x1.0f74e61e6c861p-57, 0x3fefc74518759bc8u}, {0x1.0a3e45b33d398p-54, 0x3fefbe3ecac6f383u}, {0x1.79aa65d837b6cp-54, 0x3fefb5586cf9890fu},
    {0x1.eb51a92fdeffbp-55, 0x3fefac922b7247f7u}, {0x1.ebe3d702f9cd1p-60, 0x3fefa3ec32d3d1a2u}, {-0x1.a033489906e0bp-57, 0x3fef9b66affed31bu},
    {-0x1.556522a2fbd0ep-54, 0x3fef9301d0125b51u}, {-0x1.080ef8c4eea55p-58, 0x3fef8abdc06c31ccu}, {-0x1.1c923b9d5f416p-54, 0x3fef829aaea92de0u},
    {0x1.0d3e3e95c55afp-55, 0x3fef7a98c8a58e51u}, {-0x1.01b15eaa59348p-55, 0x3fef72b83c7d517bu}, {-0x1.f1ff055de323dp-55, 0x3fef6af9388c8deau},
    {0x1.b898c3f1353bfp-55, 0x3fef635beb6fcb75u}, {-0x1.6d99c7611eb27p-54, 0x3fef5be084045cd4u}, {0x1.aecf73e3a2f5fp-54, 0x3fef54873168b9aau},
    {-0x1.fe782cb86389ep-55, 0x3fef4d5022fcd91du}, {0x1.a6f4144a6c38cp-55, 0x3fef463b88628cd6u}, {0x1.07a05b0e4047dp-55, 0x3fef3f49917ddc96u},
    {0x1.68efde3a8a893p-54, 0x3fef387a6e756238u}, {0x1.75e18f274487dp-55, 0x3fef31ce4fb2a63fu}, {0x1.0472b981fe7f2p-55, 0x3fef2b4565e27cddu},
    {-0x1.6b87b3f71085ep-54, 0x3fef24dfe1f56381u}, {0x1.2f7e16d09ab31p-55, 0x3fef1e9df51fdee1u}, {-0x1.d219b1a6fbffbp-60, 0x3fef187fd0dad990u},
    {0x1.b3782720c0ab3p-55, 0x3fef1285a6e4030bu}, {0x1.e149289cecb8fp-57, 0x3fef0cafa93e2f56u}, {0x1.34d754db0abb6p-55, 0x3fef06fe0a31b715u},
    {0x1.64201e2ac744cp-55, 0x3fef0170fc4cd831u}, {0x1.fdd395dd3f84ap-55, 0x3feefc08b26416ffu}, {-0x1.6a3803b8e5b04p-55, 0x3feef6c55f929ff1u},
    {-0x1.24aedcc4b5069p-54, 0x3feef1a7373aa9cbu}, {-0x1.907f81b512d8fp-54, 0x3feeecae6d05d866u}, {-0x1.1d1e83e9436d2p-56, 0x3feee7db34e59ff7u},
    {-0x1.91919b3ce1b15p-54, 0x3feee32dc313a8e5u}, {0x1.59f48a72a4c6cp-55, 0x3feedea64c123422u}, {-0x1.312607a28698ap-54, 0x3feeda4504ac801cu},
    {-0x1.8a78f4817895bp-58, 0x3feed60a21f72e2au}, {-0x1.c2c9b67499a1bp-56, 0x3feed1f5d950a897u}, {0x1.363ed60c2ac11p-59, 0x3feece086061892du},
    {0x1.666093b0664efp-54, 0x3feeca41ed1d0057u}, {0x1.ecce1daa10379p-57, 0x3feec6a2b5c13cd0u}, {0x1.3ff8e3f0f1230p-54, 0x3feec32af0d7d3deu},
    {0x1.690cebb7aafb0p-56, 0x3feebfdad5362a27u}, {0x1.31dbdeb54e077p-54, 0x3feebcb299fddd0du}, {-0x1.f94340071a38fp-55, 0x3feeb9b2769d2ca7u},
    {-0x1.7deccdc93a34ap-55, 0x3feeb6daa2cf6642u}, {-0x1.8dec6bd0f3860p-56, 0x3feeb42b569d4f82u}, {-0x1.61246ec7b5cf6p-55, 0x3feeb1a4ca5d920fu},
    {0x1.3350518fdd78dp-54, 0x3feeaf4736b527dau}, {0x1.b98b72f8a9b05p-56, 0x3feead12d497c7fdu}, {0x1.063e1e21c5409p-54, 0x3feeab07dd485429u},
    {0x1.4c7855019c6eap-60, 0x3feea9268a5946b7u}, {0x1.432e62b64c035p-54, 0x3feea76f15ad2148u}, {-0x1.ce44a6199769fp-55, 0x3feea5e1b976dc09u},
    {-0x1.c33c53bef4da8p-55, 0x3feea47eb03a5585u}, {-0x1.45378892be9aep-55, 0x3feea34634ccc320u}, {-0x1.3cedd78565858p-54, 0x3feea23882552225u},
    {0x1.710aa807e1964p-58, 0x3feea155d44ca973u}, {-0x1.3b3efbf5e2229p-54, 0x3feea09e667f3bcdu}, {-0x1.a12ad8734b982p-57, 0x3feea012750bdabfu},
    {-0x1.367efb86da9eep-57, 0x3fee9fb23c651a2fu}, {-0x1.0dc3d54e08851p-55, 0x3fee9f7df9519484u}, {-0x1.81f647e5a3ecfp-56, 0x3fee9f75e8ec5f74u},
    {-0x1.6ee4ac08b7db0p-55, 0x3fee9f9a48a58174u}, {-0x1.619321e55e68ap-55, 0x3fee9feb564267c9u}, {0x1.09ccb5e09d4d2p-54, 0x3feea0694fde5d3fu},
    {-0x1.b32dcb94da51dp-56, 0x3feea11473eb0187u}, {0x1.4ecfd5467c06bp-54, 0x3feea1ed0130c132u}, {0x1.5ebe1abd66c55p-57, 0x3feea2f336cf4e62u},
    {-0x1.8a1c52fb3cf42p-55, 0x3feea427543e1a12u}, {-0x1.369b6f13b3734p-54, 0x3feea589994cce13u}, {-0x1.05e843a19ff1ep-55, 0x3feea71a4623c7adu},
    {-0x1.4d450d872576ep-54, 0x3feea8d99b4492edu}, {0x1.0ad675b0e8a00p-54, 0x3feeaac7d98a6699u}, {0x1.db72fc1f0eab4p-55, 0x3feeace5422aa0dbu},
    {-0x1.5b6609cc5e7ffp-57, 0x3feeaf3216b5448cu}, {0x1.bf68359f35f44p-56, 0x3feeb1ae99157736u}, {-0x1.3091fa71e3d83p-54, 0x3feeb45b0b91ffc6u},
    {-0x1.da9b88b6c1e29p-58, 0x3feeb737b0cdc5e5u}, {-0x1.c23f97c90b959p-57, 0x3feeba44cbc8520fu}, {-0x1.2434322f4f9aap-54, 0x3feebd829fde4e50u},
    {-0x1.5ca6cd7668e4bp-55, 0x3feec0f170ca07bau}, {0x1.1affc2b91ce27p-56, 0x3feec49182a3f090u}, {0x1.dd235e10a73bbp-57, 0x3feec86319e32323u},
    {-0x1.7c50422622263p-55, 0x3feecc667b5de565u}, {0x1.b1c86e3e231d5p-55, 0x3feed09bec4a2d33u}, {-0x1.1bbd1d3bcbb15p-54, 0x3feed503b23e255du},
    {0x1.0cc319cee31d2p-54, 0x3feed99e1330b358u}, {0x1.469846e735ab3p-55, 0x3feede6b5579fdbfu}, {-0x1.2dfcd978e9db4p-55, 0x3feee36bbfd3f37au},
    {0x1.c1a7792cb3386p-55, 0x3feee89f995ad3adu}, {-0x1.07b8f4ad1d9fap-54, 0x3feeee07298db666u}, {-0x1.5c3d956dcaebap-58, 0x3feef3a2b84f15fbu},
    {-0x1.0a40e3da6f640p-54, 0x3feef9728de5593au}, {-0x1.8d6f438ad9334p-57, 0x3feeff76f2fb5e47u}, {-0x1.1eee26b588a36p-54, 0x3fef05b030a1064au},
    {0x1.4ffd70a5fddcdp-56, 0x3fef0c1e904bc1d2u}, {-0x1.1bdfbfa9298adp-54, 0x3fef12c25bd71e09u}, {0x1.36eae30af0cb3p-56, 0x3fef199bdd85529cu},
    {0x1.ee3325c9ffd93p-55, 0x3fef20ab5fffd07au}, {0x1.4e08fd10959acp-55, 0x3fef27f12e57d14bu}, {0x1.3cdaf384e1a67p-57, 0x3fef2f6d9406e7b5u},
    {0x1.76b2c6c921968p-57, 0x3fef3720dcef9069u}, {-0x1.08a1883ccb5d2p-55, 0x3fef3f0b555dc3fau}, {-0x1.fad5d3ffffa6fp-55, 0x3fef472d4a07897cu},
    {-0x1.00dae3875a949p-54, 0x3fef4f87080d89f2u}, {0x1.4a385a63d07a7p-56, 0x3fef5818dcfba487u}, {-0x1.2919e2040220fp-55, 0x3fef60e316c98398u},
    {0x1.e5a50d5c192acp-55, 0x3fef69e603db3285u}, {0x1.43a59ac016b4bp-55, 0x3fef7321f301b460u}, {-0x1.2d52107b43e1fp-55, 0x3fef7c97337b9b5fu},
    {-0x1.92ab93b470dc9p-55, 0x3fef864614f5a129u}, {0x1.4b604603a88d3p-56, 0x3fef902ee78b3ff6u}, {0x1.3c5ec519d7271p-55, 0x3fef9a51fbc74c83u},
    {-0x1.ff7128fd391f1p-55, 0x3fefa4afa2a490dau}, {-0x1.dae98e223747dp-55, 0x3fefaf482d8e67f1u}, {0x1.ec3bc41aa2008p-55, 0x3fefba1bee615a27u},
    {0x1.42b94c3a9eb32p-55, 0x3fefc52b376bba97u}, {0x1.a64a931d185edp-55, 0x3fefd0765b6e4540u}, {-0x1.e37bae43be3edp-55, 0x3fefdbfdad9cbe14u},
    {0x1.7893b4d91cd9cp-56, 0x3fefe7c1819e90d8u}, {0x1.305c14160cc89p-58, 0x3feff3c22b8f71f1u}};)

GENERAL(FUNCTION NUMBER NAME(exp)(NUMBER x) {
    SPECIAL(NOT(MAGNITUDE(x) < 708), elementary_rare_exp(x))
    const NUMBER shifted = FMA(x, 0x1.71547652b82fep+7, 0x1.8p52), k = shifted - 0x1.8p52;
    const WORD n = BITS(shifted);
    const PLACE i = PLACE_OF(n & 127);
    const NUMBER r = FMA(-k, 0x1.62e42fefa39efp-8, x), rest = k * -0x1.abc9e3b39803fp-63, r2 = r * r;
    const NUMBER low = FMA(rest, r, r + (LOOK(elementary_exp_table, i, tail) + rest));
    const NUMBER p = FMA(r, 0x1.5555555555525p-3, 0x1.fffffffffff57p-2);
    const NUMBER q = FMA(r, 0x1.1111143255ff1p-7, 0x1.55555acf8df82p-5);
    const NUMBER scale = VALUE(LOOK(elementary_exp_table, i, bits) + (n << 45));
    return MENDED(FMA(scale, FMA(r2, FMA(r2, q, p), low), scale), elementary_rare_exp, x);
})

/* exp(x + more), |x| < 708, |more| < 2^-11. */
GENERAL(FUNCTION NUMBER NAME(exp_of_sum)(NUMBER x, NUMBER more) {
    const NUMBER shifted = FMA(x, 0x1.71547652b82fep+7, 0x1.8p52), k = shifted - 0x1.8p52;
    const WORD n = BITS(shifted);
    const PLACE i = PLACE_OF(n & 127);
    const NUMBER near = FMA(-k, 0x1.62e42fefa39efp-8, x);
    const NUMBER r = near + FMA(-k, 0x1.abc9e3b39803fp-63, more), r2 = r * r;
    const NUMBER p = FMA(r, 0x1.5555555555525p-3, 0x1.fffffffffff57p-2);
    const NUMBER q = FMA(r, 0x1.1111143255ff1p-7, 0x1.55555acf8df82p-5);
    const NUMBER scale = VALUE(LOOK(elementary_exp_table, i, bits) + (n << 45));
    return FMA(scale, FMA(r2, FMA(r2, q, p), r + LOOK(elementary_exp_table, i, tail)),
                         scale);
})

/* ---- log ----------------------------------------------------------------------------------------------- */

/* For c = 0.6875 and the next 127 numbers with seven digits: the nearest number to 1/c, and minus its
 * logarithm as a sum, the first a multiple of 2^-42, so that k·ln2 can be added to it without rounding. */
TABLES(TABLE const struct { double inverse, high, low; } elementary_log_table[128] = {
    {0x1.745d1745d1746p+0, -0x1.7fafa3bd81000p-2, -0x1.471b79bf6d4cbp-44}, {0x1.724287f46debcp+0, -0x1.79e26687d0000p-2, 0x1.30a0168817444p-44},
    {0x1.702e05c0b8170p+0, -0x1.741d876c68000p-2, 0x1.13c7b5b11cfa7p-44}, {0x1.6e1f76b4337c7p+0, -0x1.6e60ee6af2000p-2, 0x1.a3556a0f7749ep-44},
    {0x1.6c16c16c16c17p+0, -0x1.68ac83e9c7000p-2, 0x1.7acd66c548a30p-44}, {0x1.6a13cd1537290p+0, -0x1.630030b3ab000p-2, 0x1.dbc23e731ae00p-45},
    {0x1.6816816816817p+0, -0x1.5d5bddf596000p-2, 0x1.9de2a08a465dcp-47}, {0x1.661ec6a5122f9p+0, -0x1.57bf753c8d000p-2, -0x1.fadadee5d40efp-46},
    {0x1.642c8590b2164p+0, -0x1.522ae0738a000p-2, -0x1.eba708164c759p-45}, {0x1.623fa77016240p+0, -0x1.4c9e09e173000p-2, 0x1.e18891b0ad8a4p-45},
    {0x1.6058160581606p+0, -0x1.4718dc271c000p-2, -0x1.071d8fb4c14c5p-44}, {0x1.5e75bb8d015e7p+0, -0x1.419b423d5f000p-2, 0x1.ce7a9226de3ecp-44},
    {0x1.5c9882b931057p+0, -0x1.3c25277333000p-2, -0x1.83454b606bd5cp-46}, {0x1.5ac056b015ac0p+0, -0x1.36b6776be1000p-2, -0x1.15ecdb0f177c8p-46},
    {0x1.58ed2308158edp+0, -0x1.314f1e1d36000p-2, 0x1.8e5bad3213cb8p-45}, {0x1.571ed3c506b3ap+0, -0x1.2bef07cdc9000p-2, -0x1.aa5ba4a5004f4p-45},
    {0x1.5555555555555p+0, -0x1.269621134e000p-2, 0x1.1ba1f10522625p-44}, {0x1.5390948f40febp+0, -0x1.214456d0ec000p-2, 0x1.cac5428b728a3p-44},
    {0x1.51d07eae2f815p+0, -0x1.1bf99635a7000p-2, 0x1.1ade9575c2125p-44}, {0x1.5015015015015p+0, -0x1.16b5ccbad0000p-2, 0x1.232a9042d74bfp-44},
    {0x1.4e5e0a72f0539p+0, -0x1.1178e8227e000p-2, -0x1.1e9b8ce2d07f2p-44}, {0x1.4cab88725af6ep+0, -0x1.0c42d67616000p-2, -0x1.70d4b163ceae9p-45},
    {0x1.4afd6a052bf5bp+0, -0x1.07138604d6000p-2, 0x1.e70124e912b17p-44}, {0x1.49539e3b2d067p+0, -0x1.01eae5626c000p-2, -0x1.a44ecfade85aep-44},
    {0x1.47ae147ae147bp+0, -0x1.f991c6cb3c000p-3, 0x1.90b84cd7cc834p-44}, {0x1.460cbc7f5cf9ap+0, -0x1.ef5ade4dd0000p-3, 0x1.ad11565bb8e11p-51},
    {0x1.446f86562d9fbp+0, -0x1.e530effe72000p-3, 0x1.fdafbb13f7c18p-44}, {0x1.42d6625d51f87p+0, -0x1.db13db0d48000p-3, -0x1.2813a847527e6p-44},
    {0x1.4141414141414p+0, -0x1.d1037f2656000p-3, 0x1.8527e75b6f6e4p-47}, {0x1.3fb013fb013fbp+0, -0x1.c6ffbc6f00000p-3, -0x1.ee128d3a69d43p-44},
    {0x1.3e22cbce4a902p+0, -0x1.bd087383be000p-3, 0x1.d5844595412b6p-45}, {0x1.3c995a47babe7p+0, -0x1.b31d8575bc000p-3, -0x1.c75de562a63cbp-44},
    {0x1.3b13b13b13b14p+0, -0x1.a93ed3c8ae000p-3, 0x1.86a4350562169p-45}, {0x1.3991c2c187f63p+0, -0x1.9f6c40708a000p-3, 0x1.33aa94bcd3f43p-44},
    {0x1.3813813813814p+0, -0x1.95a5adcf70000p-3, -0x1.8262858a0ff6fp-47}, {0x1.3698df3de0748p+0, -0x1.8beafeb390000p-3, 0x1.71154aae92cd1p-47},
    {0x1.3521cfb2b78c1p+0, -0x1.823c16551a000p-3, -0x1.e02db9a631e83p-46}, {0x1.33ae45b57bcb2p+0, -0x1.7898d85444000p-3, -0x1.8e81be3dbaf3fp-44},
    {0x1.323e34a2b10bfp+0, -0x1.6f0128b756000p-3, -0x1.571d90d31ef0fp-44}, {0x1.30d190130d190p+0, -0x1.6574ebe8c2000p-3, 0x1.98d1d34f0f462p-44},
    {0x1.2f684bda12f68p+0, -0x1.5bf406b544000p-3, 0x1.28023eb68981cp-46}, {0x1.2e025c04b8097p+0, -0x1.527e5e4a1c000p-3, 0x1.4e61b8d4b411dp-44},
    {0x1.2c9fb4d812ca0p+0, -0x1.4913d8333c000p-3, 0x1.53a43558124c4p-44}, {0x1.2b404ad012b40p+0, -0x1.3fb45a5992000p-3, -0x1.19313c0cae559p-44},
    {0x1.29e4129e4129ep+0, -0x1.365fcb015a000p-3, 0x1.fd720afb9691bp-44}, {0x1.288b01288b013p+0, -0x1.2d1610c868000p-3, -0x1.3d0eccb81b4a1p-47},
    {0x1.27350b8812735p+0, -0x1.23d712a49c000p-3, -0x1.00aa38fd3df5cp-46}, {0x1.25e22708092f1p+0, -0x1.1aa2b7e240000p-3, 0x1.1ad48dde3b366p-44},
    {0x1.2492492492492p+0, -0x1.1178e8227e000p-3, -0x1.1e778ce2d07f2p-45}, {0x1.23456789abcdfp+0, -0x1.08598b59e4000p-3, 0x1.7e5fd7009902cp-45},
    {0x1.21fb78121fb78p+0, -0x1.fe89139dbc000p-4, -0x1.56494d82f7a82p-44}, {0x1.20b470c67c0d9p+0, -0x1.ec739830a0000p-4, -0x1.1267ba80cdd10p-44},
    {0x1.1f7047dc11f70p+0, -0x1.da72763844000p-4, -0x1.a79401fa71733p-46}, {0x1.1e2ef3b3fb874p+0, -0x1.c885801bc4000p-4, -0x1.63f51c65aacd3p-45},
    {0x1.1cf06ada2811dp+0, -0x1.b6ac88dad4000p-4, -0x1.b1cbff50225c7p-44}, {0x1.1bb4a4046ed29p+0, -0x1.a4e7640b1c000p-4, 0x1.e4336b94407c8p-47},
    {0x1.1a7b9611a7b96p+0, -0x1.9335e5d594000p-4, -0x1.30f5c3abd47dap-45}, {0x1.19453808ca29cp+0, -0x1.8197e2f410000p-4, 0x1.c102460d20041p-44},
    {0x1.1811811811812p+0, -0x1.700d30aeac000p-4, -0x1.d068da99ded32p-49}, {0x1.16e0689427379p+0, -0x1.5e95a4d978000p-4, -0x1.1ccace1d17171p-44},
    {0x1.15b1e5f75270dp+0, -0x1.4d3115d208000p-4, 0x1.53e2582f4e1efp-48}, {0x1.1485f0e0acd3bp+0, -0x1.3bdf5a7d20000p-4, 0x1.1a1e0ad125895p-44},
    {0x1.135c81135c811p+0, -0x1.2aa04a4470000p-4, -0x1.7a16ba8b1cb41p-44}, {0x1.12358e75d3033p+0, -0x1.1973bd1464000p-4, -0x1.560a154f930b3p-44},
    {0x1.1111111111111p+0, -0x1.08598b59e4000p-4, 0x1.7e9dd7009902cp-46}, {0x1.0fef010fef011p+0, -0x1.eea31c0068000p-5, -0x1.c3de83606d891p-44},
    {0x1.0ecf56be69c90p+0, -0x1.ccb73cddd8000p-5, -0x1.967c36e09f5fep-44}, {0x1.0db20a88f4696p+0, -0x1.aaef2d0fb0000p-5, -0x1.1085a353bb42ep-45},
    {0x1.0c9714fbcda3bp+0, -0x1.894aa149f8000p-5, -0x1.9a55a8be97661p-44}, {0x1.0b7e6ec259dc8p+0, -0x1.67c94f2d48000p-5, -0x1.db2a0827cca0cp-44},
    {0x1.0a6810a6810a7p+0, -0x1.466aed42e0000p-5, 0x1.c073375bdfd28p-45}, {0x1.0953f39010954p+0, -0x1.252f32f8d0000p-5, -0x1.8401ae021b67bp-45},
    {0x1.0842108421084p+0, -0x1.0415d89e78000p-5, 0x1.ddfc7f461c516p-44}, {0x1.073260a47f7c6p+0, -0x1.c63d2ec150000p-6, 0x1.54a3ce030a687p-44},
    {0x1.0624dd2f1a9fcp+0, -0x1.8492528c90000p-6, 0x1.a9dba325a0c34p-45}, {0x1.05197f7d73404p+0, -0x1.432a925980000p-6, -0x1.97739928637fep-47},
    {0x1.0410410410410p+0, -0x1.0205658930000p-6, -0x1.60dd27c8e8417p-44}, {0x1.03091b51f5e1ap+0, -0x1.82448a3880000p-7, -0x1.4506412c584e0p-44},
    {0x1.0204081020408p+0, -0x1.0101575880000p-7, -0x1.bcd251998b506p-44}, {0x1.0101010101010p+0, -0x1.0080559580000p-8, -0x1.164afcb31c67bp-45},
    {0x1.0000000000000p+0, 0, 0}, {0x1.fc07f01fc07f0p-1, 0x1.fe02a6b100000p-8, 0x1.9e63f0dda40e4p-46},
    {0x1.f81f81f81f820p-1, 0x1.fc0a8b0fc0000p-7, 0x1.e1e7cf6d3a69cp-50}, {0x1.f44659e4a4271p-1, 0x1.7b91b07d60000p-6, -0x1.3b685b602ace4p-44},
    {0x1.f07c1f07c1f08p-1, 0x1.f829b0e780000p-6, 0x1.97c267c7e09e4p-45}, {0x1.ecc07b301ecc0p-1, 0x1.39e87b9fe8000p-5, 0x1.eb3d480ad9015p-44},
    {0x1.e9131abf0b767p-1, 0x1.77458f6330000p-5, -0x1.1807ce586af09p-44}, {0x1.e573ac901e574p-1, 0x1.b42dd71198000p-5, -0x1.c8d7ae5d6704cp-46},
    {0x1.e1e1e1e1e1e1ep-1, 0x1.f0a30c0118000p-5, -0x1.d579e83368e91p-45}, {0x1.de5d6e3f8868ap-1, 0x1.16536eea38000p-4, -0x1.472de768fa309p-46},
    {0x1.dae6076b981dbp-1, 0x1.341d7961bc000p-4, 0x1.1cfb299837610p-44}, {0x1.d77b654b82c34p-1, 0x1.51b073f060000p-4, 0x1.83ba9278e686ap-44},
    {0x1.d41d41d41d41dp-1, 0x1.6f0d28ae58000p-4, -0x1.4b2241b664613p-44}, {0x1.d0cb58f6ec074p-1, 0x1.8c345d6318000p-4, 0x1.b22b5acb42a66p-44},
    {0x1.cd85689039b0bp-1, 0x1.a926d3a4ac000p-4, 0x1.561c50bd22a9cp-44}, {0x1.ca4b3055ee191p-1, 0x1.c5e548f5bc000p-4, 0x1.d0c97585fbe06p-46},
    {0x1.c71c71c71c71cp-1, 0x1.e27076e2b0000p-4, -0x1.a2c2c2af0003cp-45}, {0x1.c3f8f01c3f8f0p-1, 0x1.fec9131dc0000p-4, -0x1.54455d1ae6607p-44},
    {0x1.c0e070381c0e0p-1, 0x1.0d77e7cd08000p-3, 0x1.cb6cd2ee2f482p-44}, {0x1.bdd2b899406f7p-1, 0x1.1b72ad52f6000p-3, 0x1.e86041811a396p-45},
    {0x1.bacf914c1bad0p-1, 0x1.29552f8200000p-3, -0x1.5bd67f4471dfcp-44}, {0x1.b7d6c3dda338bp-1, 0x1.371fc201e8000p-3, 0x1.eea079b2d8abcp-44},
    {0x1.b4e81b4e81b4fp-1, 0x1.44d2b6ccb8000p-3, -0x1.71f416135783cp-46}, {0x1.b2036406c80d9p-1, 0x1.526e5e3a1c000p-3, -0x1.790aa37fc5238p-44},
    {0x1.af286bca1af28p-1, 0x1.5ff3070a7a000p-3, -0x1.8546f183bebf2p-44}, {0x1.ac5701ac5701bp-1, 0x1.6d60fe719e000p-3, -0x1.bc91557134767p-44},
    {0x1.a98ef606a63bep-1, 0x1.7ab890210e000p-3, -0x1.be51072534a58p-45}, {0x1.a6d01a6d01a6dp-1, 0x1.87fa06520c000p-3, 0x1.22130401202fcp-44},
    {0x1.a41a41a41a41ap-1, 0x1.9525a9cf46000p-3, -0x1.294937d9f158fp-44}, {0x1.a16d3f97a4b02p-1, 0x1.a23bc1fe2c000p-3, -0x1.53d6d91dc9f0bp-44},
    {0x1.9ec8e951033d9p-1, 0x1.af3c94e80c000p-3, -0x1.92e633fcd9066p-52}, {0x1.9c2d14ee4a102p-1, 0x1.bc286742d8000p-3, 0x1.9a873f39d121cp-44},
    {0x1.999999999999ap-1, 0x1.c8ff7c79aa000p-3, -0x1.7814f689f8434p-45}, {0x1.970e4f80cb872p-1, 0x1.d5c216b4fc000p-3, -0x1.1b0d1bbca681bp-45},
    {0x1.948b0fcd6e9e0p-1, 0x1.e27076e2b0000p-3, -0x1.a302c2af0003cp-44}, {0x1.920fb49d0e229p-1, 0x1.ef0adcbdc6000p-3, -0x1.b2a179c86af24p-45},
    {0x1.8f9c18f9c18fap-1, 0x1.fb9186d5e4000p-3, -0x1.d6b2aab993c87p-47}, {0x1.8d3018d3018d3p-1, 0x1.0402594b4d000p-2, 0x1.037b89ef42d7fp-48},
    {0x1.8acb90f6bf3aap-1, 0x1.0a324e2739000p-2, 0x1.c4dee7ef4030ep-47}, {0x1.886e5f0abb04ap-1, 0x1.1058bf9ae5000p-2, -0x1.4affd817d52cdp-44},
    {0x1.8618618618618p-1, 0x1.1675cababa000p-2, 0x1.83c0e731f55c4p-44}, {0x1.83c977ab2beddp-1, 0x1.1c898c169a000p-2, -0x1.81260e5c62affp-44},
    {0x1.8181818181818p-1, 0x1.22941fbcf8000p-2, -0x1.a6876f5eb0963p-44}, {0x1.7f405fd017f40p-1, 0x1.2895a13de8000p-2, 0x1.a917ad24c13f0p-44},
    {0x1.7d05f417d05f4p-1, 0x1.2e8e2bae12000p-2, -0x1.6791e99b72bd8p-45}, {0x1.7ad2208e0ecc3p-1, 0x1.347dd9a988000p-2, -0x1.5522dd4c58092p-45},
    {0x1.78a4c8178a4c8p-1, 0x1.3a64c55694000p-2, 0x1.7a81cbcd735d0p-44}, {0x1.767dce434a9b1p-1, 0x1.404308686a000p-2, 0x1.f8f043049f7d3p-44}};)

GENERAL(FUNCTION NUMBER NAME(log)(NUMBER x) {
    const WORD bits = BITS(x), at = bits + 0x100000000000u - 0x3fe6000000000000u;
    SPECIAL(bits - 0x0010000000000000u >= 0x7fe0000000000000u, elementary_rare_log(x))
    const WHOLE k = (WHOLE)at >> 52;
    const PLACE i = PLACE_OF(at >> 45 & 127);
    const NUMBER z = VALUE(bits - ((WORD)k << 52)), n = AS_NUMBER(k);
    const NUMBER r = FMA(z, LOOK(elementary_log_table, i, inverse), -1), r2 = r * r;
    const NUMBER whole = FMA(n, 0x1.62e42fefa3800p-1, LOOK(elementary_log_table, i, high)), high = whole + r;
    const NUMBER rest = FMA(n, 0x1.ef35793c76730p-45, LOOK(elementary_log_table, i, low));
    const NUMBER low = rest + ((whole - high) + r);
    const NUMBER a = FMA(r, -0x1.ffffffffaff78p-3, 0x1.5555555555555p-2);
    const NUMBER b = FMA(r, -0x1.55569566b7f3ep-3, 0x1.9999999952759p-3);
    const NUMBER p = FMA(r2, FMA(r2, 0x1.249365a5d2ad4p-3, b), a);
    return MENDED(high + FMA(r2, FMA(r, p, -0.5), low), elementary_rare_log, x);
})

/* ---- pow ----------------------------------------------------------------------------------------------- */

GENERAL(FUNCTION NUMBER NAME(pow)(NUMBER x, NUMBER y) {
    const WORD bits = BITS(x), at = bits + 0x100000000000u - 0x3fe6000000000000u;
    const WHOLE k = (WHOLE)at >> 52;
    const PLACE i = PLACE_OF(at >> 45 & 127);
    const NUMBER z = VALUE(bits - ((WORD)k << 52)), n = AS_NUMBER(k);
    const NUMBER inverse = LOOK(elementary_log_table, i, inverse);
    const NUMBER r = FMA(z, inverse, -1), r2 = r * r, half = -0.5 * r, square = half * r;
    const NUMBER product = z * inverse;
    const NUMBER lost = ((product - 1) - r) + FMA(z, inverse, -product);
    const NUMBER whole = FMA(n, 0x1.62e42fefa3800p-1, LOOK(elementary_log_table, i, high));
    const NUMBER sum = whole + r, high = sum + square;
    const NUMBER rest = FMA(n, 0x1.ef35793c76730p-45, LOOK(elementary_log_table, i, low)) + lost;
    const NUMBER lows = (((whole - sum) + r) + ((sum - high) + square)) + FMA(half, r, -square);
    const NUMBER a = FMA(r, -0x1.0p-2, 0x1.5555555555556p-2);
    const NUMBER b = FMA(r, -0x1.55555554e215dp-3, 0x1.99999999198bep-3);
    const NUMBER c = FMA(r, -0x1.000133440e0d6p-3, 0x1.24939e8c9c142p-3);
    const NUMBER p = FMA(r2, FMA(r2, c, b), a);
    const NUMBER low = FMA(r * r2, p, lows + rest);
    const NUMBER power = y * high, more = FMA(y, low, FMA(y, high, -power));
    SPECIAL((bits - 0x0010000000000000u >= 0x7fe0000000000000u) | NOT(MAGNITUDE(power) < 708) | NOT(MAGNITUDE(y) < 4096),
            elementary_rare_pow(x, y))
    return MENDED_BY_TWO(NAME(exp_of_sum)(power, more), elementary_rare_pow, x, y);
})

/* ---- sin and cos --------------------------------------------------------------------------------------- */

/* The sine `quarters` quarter turns after the multiple of π/2 nearest to x. Sine and cosine of one argument
 * share all but the last two lines. */
GENERAL(SHARED NUMBER NAME(turn)(NUMBER x, uint64_t quarters) {
    const NUMBER shifted = FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
    const NUMBER near = FMA(-n, 0x1.921fb54442d18p+0, x);
    const NUMBER more = n * 0x1.1a62633145c07p-54, r = near - more, back = r - near; // recovers what is lost
    const NUMBER lost = (near - (r - back)) - (more + back);
    const NUMBER third = FMA(n, 0x1.f1976b7ed8fbcp-110, -FMA(n, 0x1.1a62633145c07p-54, -more));
    const NUMBER low = lost + third;
    const NUMBER z = r * r, z2 = z * z, half = 0.5 * z, top = 1 - half;
    const NUMBER s1 = FMA(z, 0x1.111111110f5f3p-7, -0x1.5555555555547p-3);
    const NUMBER s2 = FMA(z, 0x1.71de3547dc8ecp-19, -0x1.a01a019bd06b2p-13);
    const NUMBER s3 = FMA(z, 0x1.5d8a882249886p-33, -0x1.ae5e457f7f09ep-26);
    const NUMBER c1 = FMA(z, -0x1.6c16c16c1654bp-10, 0x1.5555555555554p-5);
    const NUMBER c2 = FMA(z, -0x1.27e4f98d95fedp-22, 0x1.a01a019eb974ap-16);
    const NUMBER c3 = FMA(z, -0x1.903b8bb99e649p-37, 0x1.1eeaf8d12b5e3p-29);
    const NUMBER s = FMA(z2, FMA(z2, s3, s2), s1);
    const NUMBER c = FMA(z2, FMA(z2, c3, c2), c1);
    const NUMBER sine = r + FMA(r * z, s, low * top);
    const NUMBER cosine = top + FMA(z2, c, FMA(-r, low, (1 - top) - half));
    const WORD quarter = BITS(shifted) + quarters;
    return VALUE(BITS(PICKED(quarter & 1, cosine, sine)) ^ (quarter & 2) << 62);
})

GENERAL(SHARED NUMBER NAME(sin)(NUMBER x) {
    SPECIAL(NOT(MAGNITUDE(x) < 0x1p30), elementary_rare_sin(x))
    return MENDED(NAME(turn)(x, 0), elementary_rare_sin, x);
})

GENERAL(SHARED NUMBER NAME(cos)(NUMBER x) {
    SPECIAL(NOT(MAGNITUDE(x) < 0x1p30), elementary_rare_cos(x))
    return MENDED(NAME(turn)(x, 1), elementary_rare_cos, x);
})
